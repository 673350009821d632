#!/bin/sh
# enter.sh ROOT UID NAME=VALUE... -- COMMAND...: runs the command in the root, in
# $HOME. To be called in new namespaces of mounts and processes (roots.py).
set -e
root=$1 uid=$2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
while read -r name major minor; do
  mknod -m 666 "$root/dev/$name" c "$major" "$minor"
done <<END
null 1 3
zero 1 5
random 1 8
urandom 1 9
tty 5 0
END
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
chmod 1777 "$root/dev/shm"
shift 2
exec env -i "$(command -v chroot)" --userspec="$uid:$uid" --groups= "$root" /bin/sh -c '
  while [ "$1" != -- ]; do export "$1"; shift; done
  shift
  cd "$HOME"
  exec "$@"' enter "$@"
