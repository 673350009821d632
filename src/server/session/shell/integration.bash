# glasstty's integration with bash: reads your own start-up files, then marks
# prompts and commands (OSC 133) and reports the directory (OSC 7). bash gets it
# as --rcfile. It changes none of your files.
#
# GLASSTTY_NONCE proves that a mark comes from here. It is removed from the
# environment, so programs do not inherit it.
#
# GLASSTTY_LOGIN replaces --login, with which bash ignores --rcfile.
# GLASSTTY_NORC replaces --norc: bash was started with --posix, so that it reads
# only $ENV.
#
# GLASSTTY_HISTORY is the session's history file; without it, yours is used.

if [[ -n ${GLASSTTY_NORC-} ]]; then
  set +o posix
  shopt -u inherit_errexit
  [[ ${HISTFILE-} != ~/.sh_history ]] || HISTFILE=~/.bash_history
  if [[ -n ${GLASSTTY_ENV-} ]]; then
    export ENV=$GLASSTTY_ENV
  else
    unset ENV
  fi
elif [[ -n ${GLASSTTY_LOGIN-} ]]; then
  # Reads the files that bash -l would read.
  [[ -r /etc/profile ]] && . /etc/profile
  for __glasstty_file in ~/.bash_profile ~/.bash_login ~/.profile; do
    if [[ -r $__glasstty_file ]]; then
      . "$__glasstty_file"
      break
    fi
  done
  unset __glasstty_file
elif [[ -r ~/.bashrc ]]; then
  # If there is a bashrc for all users, bash has read it before this file.
  . ~/.bashrc
fi

__glasstty_history=${GLASSTTY_HISTORY-}
# Sets the session's history file again if your own files or hooks have set
# another one; returns true if so. If the variable is read-only, turns the
# history off instead.
__glasstty_use_history() {
  [[ -n $__glasstty_history && ${HISTFILE-} != "$__glasstty_history" ]] ||
    return
  if [[ $(builtin readonly -p) == *' HISTFILE='* ]]; then
    set +o history
    __glasstty_history=
  else
    HISTFILE=$__glasstty_history
  fi
}
__glasstty_use_history || :

# Called by the first line of a file with a command that could not be typed.
# Puts the command's text into the history, in place of the line that ran the
# file, if that is there. bash reads the whole file before it runs any of it, so
# the file can be reused for the output of `history`; a substitution would fork,
# which takes longer than everything else. The output is written over the
# beginning of the text, because ext4 takes long with a file that is truncated
# and written again. In any locale but C, bash converts the whole text for each
# expansion. Preserves $?.
__glasstty_command=${BASH_SOURCE[0]%/*}/command
__glasstty_recall() {
  local status=$? number= last= text= LC_ALL=C
  IFS= builtin read -r -d '' text <"$__glasstty_command" || :
  HISTTIMEFORMAT='' builtin history 1 1<>"$__glasstty_command"
  IFS=' ' builtin read -r number last <"$__glasstty_command" || :
  if [[ $last == ". '"*"/command'" ]]; then
    builtin history -d "${number%\*}"
  fi
  text=${text#*$'\n'}
  builtin history -s -- "${text%$'\n'}"
  return "$status"
}

# PS0 (bash 4.4) marks the beginning of a command's output. A DEBUG trap could
# do so, too, but there is only one, and it is yours.
if [[ -n ${GLASSTTY_NONCE-} && -n ${BASH_VERSINFO-} &&
  ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 44 ]]; then
  __glasstty_nonce=$GLASSTTY_NONCE
  # Marks that prove the end of a command are numbered, so that an old mark that
  # a command prints from a log proves nothing.
  __glasstty_number=0
  __glasstty_head='\[\e]133;D;$?;at=prompt;n=$((++__glasstty_number));aid='$__glasstty_nonce'\a\e]133;A;aid='$__glasstty_nonce'\a\]'
  __glasstty_tail='\[\e]133;B;aid='$__glasstty_nonce'\a\]'
  __glasstty_more='\[\e]133;P;k=s;aid='$__glasstty_nonce'\a\]'
  __glasstty_start='\e]133;C;aid='$__glasstty_nonce'\a'
  __glasstty_directory=

  __glasstty_is_wrapped() {
    [[ ${PS1-} == "$__glasstty_head"*"$__glasstty_tail" &&
      ${PS0-} == *"$__glasstty_start" ]]
  }

  # Puts the prompt between its marks, again if a theme or an activated
  # environment has added text around them.
  __glasstty_wrap() {
    if ! __glasstty_is_wrapped; then
      PS1=${PS1-}
      PS1=${PS1//"$__glasstty_head"/}
      PS1=$__glasstty_head${PS1//"$__glasstty_tail"/}$__glasstty_tail
    fi
    [[ ${PS2-} == "$__glasstty_more"* ]] || PS2=$__glasstty_more${PS2-}
    [[ ${PS0-} == *"$__glasstty_start" ]] || PS0=${PS0-}$__glasstty_start
    # Shells started by this one have their own prompts.
    export -n PS0 PS1 PS2 PROMPT_COMMAND
  }

  # Reports the directory. Escapes bytes that are not allowed in a URL; most
  # paths have none.
  __glasstty_tell_directory() {
    local LC_ALL=C path=$PWD url= byte i
    if [[ $path != *[!a-zA-Z0-9/._~+@,:-]* ]]; then
      url=$path
    else
      for ((i = 0; i < ${#path}; ++i)); do
        byte=${path:i:1}
        [[ $byte == [a-zA-Z0-9/._~-] ]] || printf -v byte '%%%02X' "'$byte"
        # A byte above 127 is negative in some locales, so use only the last two
        # digits.
        [[ ${#byte} -le 3 ]] || byte=%${byte: -2}
        url+=$byte
      done
    fi
    builtin printf '\e]7;file://%s%s\a' "${HOSTNAME-}" "$url"
  }

  # A program that was killed leaves its terminal settings behind, and the shell
  # continues with them. Resets the settings that are unsuitable for commands.
  # The holder writes a note when a program has changed settings.
  __glasstty_note=${BASH_SOURCE[0]%/*}/terminal-note
  __glasstty_mend() {
    local before after
    [[ ! -s $__glasstty_note ]] || : >"$__glasstty_note"
    before=$(command stty -g) || return
    command stty iutf8 icrnl -inlcr -igncr -istrip -iuclc opost onlcr -ocrnl -onocr \
      -onlret -olcuc -ofill tab0 nl0 cr0 isig icanon iexten echo echoe echok \
      -noflsh -tostop intr '^C' quit '^\' susp '^Z' eof '^D' min 1 time 0
    after=$(command stty -g)
    [[ $before == "$after" ]] || __glasstty_left=';left=tty'
  } </dev/tty

  # Comes first in PROMPT_COMMAND, so that output of your own hooks does not
  # count as output of a command. A new line is reported here and not in the
  # prompt, because readline redraws the prompt for many reasons.
  __glasstty_prompt() {
    local status=$? __glasstty_left= lines=
    # Your files may have turned this off, and a comment that is run as a
    # command is dangerous.
    shopt -s interactive_comments
    __glasstty_use_history && __glasstty_use_last
    if [[ -n ${BLE_ATTACHED-} ]]; then
      # In ble.sh, Enter does not run a text of several lines. ble.sh moves to a
      # new line before it runs hooks, so its own mark shows where output ends.
      # The settings of the terminal's driver are already those of its editor.
      lines=';lines=no;end=told'
      bleopt prompt_eol_mark=$'\e]133;D;at=end;aid='"$__glasstty_nonce"$'\a' \
        exec_errexit_mark= exec_exit_mark= exec_elapsed_mark=
    elif [[ $status -ge 128 || -s $__glasstty_note ]]; then
      __glasstty_mend
    fi
    builtin printf '\e]133;D;%s;aid=%s;n=%d;line=new%s%s\a' "$status" \
      "$__glasstty_nonce" $((++__glasstty_number)) "$__glasstty_left" "$lines"
    if [[ $PWD != "$__glasstty_directory" ]]; then
      __glasstty_directory=$PWD
      __glasstty_tell_directory
    fi
    if ! __glasstty_is_wrapped; then
      __glasstty_use_last
      __glasstty_wrap
    elif [[ $__glasstty_theme == no && -n $__glasstty_array ]]; then
      unset 'PROMPT_COMMAND[1000]'
    fi
    return "$status"
  }

  # Comes last in PROMPT_COMMAND if a hook sets the prompt each time, or sets
  # another history. Not installed otherwise, because a DEBUG trap that measures
  # time would mistake it for a command.
  __glasstty_last() {
    local status=$?
    __glasstty_use_history && __glasstty_theme=yes
    if __glasstty_is_wrapped; then
      [[ -n $__glasstty_theme ]] || __glasstty_theme=no
    else
      __glasstty_theme=yes
      __glasstty_wrap
    fi
    return "$status"
  }

  __glasstty_use_last() {
    if [[ -n $__glasstty_array && ${#PROMPT_COMMAND[@]} -gt 1 ]]; then
      PROMPT_COMMAND[1000]='{ __glasstty_last; } 2>/dev/null'
    fi
  }

  # Hides the trace of our hook (`set -x`), and keeps its marks out of a file
  # (`exec >file`).
  __glasstty_first='{ __glasstty_prompt; } 2>/dev/null >/dev/tty'

  # From bash 5.1 on, PROMPT_COMMAND may be an array; each part gets the same
  # $?.
  __glasstty_theme=
  __glasstty_array=
  __glasstty_install() {
    if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 51 ]]; then
      __glasstty_array=1
      PROMPT_COMMAND=("$__glasstty_first"
        ${PROMPT_COMMAND+"${PROMPT_COMMAND[@]}"})
    else
      PROMPT_COMMAND=$__glasstty_first$'\n'${PROMPT_COMMAND-}$'\n'__glasstty_last
    fi
    __glasstty_use_last
    __glasstty_wrap
  }
  if [[ -n ${BLE_ATTACHED-} ]]; then
    # ble.sh removes prompt and hooks, except while it runs hooks.
    __glasstty_install_late() {
      blehook PRECMD-=__glasstty_install_late
      __glasstty_install
    }
    blehook PRECMD+=__glasstty_install_late
  else
    __glasstty_install
  fi
fi
unset GLASSTTY_NONCE GLASSTTY_NORC GLASSTTY_LOGIN GLASSTTY_ENV GLASSTTY_HISTORY
