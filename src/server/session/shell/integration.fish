# glasstty's integration with fish: marks prompts and commands (OSC 133) and
# tells the directory (OSC 7). Given to fish as --init-command, after your own
# configuration; changes no file of yours.
#
# GLASSTTY_NONCE proves that a mark comes from here. It is taken out of the
# environment, so programs do not inherit it.
#
# GLASSTTY_HISTORY says that the session has a history of its own.

if status is-interactive; and set -q GLASSTTY_NONCE
    set -g __glasstty_nonce $GLASSTTY_NONCE

    # Marks that prove the end of a command have numbers, so that one that a
    # command prints again, from a log, proves nothing.
    set -g __glasstty_number 0
    function __glasstty_count
        set -g __glasstty_number (math $__glasstty_number + 1)
    end

    # With an empty name the history is kept in memory alone.
    set -q GLASSTTY_HISTORY
    and set -g fish_history ''

    function __glasstty_tell_directory --on-variable PWD
        printf '\e]7;file://%s%s\a' (hostname) (string escape --style=url -- $PWD)
    end

    function __glasstty_preexec --on-event fish_preexec
        set -l text (string sub --length 600 -- "$argv[1]" | string collect)
        # A line that ran a command from a file is ours.
        string match --quiet "source '*/command'" -- $text
        and set -g __glasstty_source $text
        printf '\e]133;C;aid=%s;cmdline_url=%s\a' $__glasstty_nonce (string escape --style=url -- $text)
    end

    function __glasstty_postexec --on-event fish_postexec
        set -l last $status
        __glasstty_count
        printf '\e]133;D;%s;aid=%s;n=%s%s\a' $last $__glasstty_nonce $__glasstty_number "$__glasstty_left"
        set -g __glasstty_left ''
    end

    # Called by the file of a command after a program that may have left the
    # terminal as it needed it. fish adopts what a command sets, but not what a
    # handler of an event does. Leaves $status as it is.
    set -g __glasstty_left ''
    function __glasstty_mend
        set -l last $status
        set -l before (command stty -g </dev/tty)
        command stty iutf8 icrnl -inlcr -igncr -istrip -iuclc opost onlcr -ocrnl -onocr \
            -onlret -olcuc -ofill tab0 nl0 cr0 isig icanon iexten echo echoe echok \
            -noflsh -tostop intr '^C' quit '^\\' susp '^Z' eof '^D' </dev/tty 2>/dev/null
        test "$before" = (command stty -g </dev/tty)
        or set -g __glasstty_left ';left=tty'
        return $last
    end

    # Your own handlers print after a command, which is not its output. We move
    # them behind ours and keep their order.
    for handler in (functions --handlers |
            string replace --filter --regex '^fish_postexec (?!__glasstty_)' '')
        functions -- $handler | source
    end

    # An empty line will be read. fish_prompt is also called when the prompt is
    # drawn again; this event comes once a line.
    function __glasstty_new_line --on-event fish_prompt
        if set -q __glasstty_source
            builtin history delete --exact --case-sensitive -- $__glasstty_source
            set -e __glasstty_source
        end
        __glasstty_count
        printf '\e]133;D;aid=%s;n=%s;line=new\a' $__glasstty_nonce $__glasstty_number
    end

    # Asked by a key of glasstty's own whether the line is empty, because after
    # an interrupt there is no other sign of it. What is left is given up, and
    # so is a search or a list, which not every version tells of.
    function __glasstty_tell_line
        set -l left (commandline)
        set -g fish_bind_mode default
        string match --quiet --regex 'vi|hybrid' -- "$fish_key_bindings"
        and set -g fish_bind_mode insert
        commandline --function cancel
        if test -z "$left[1]" -a (count $left) -le 1
            and not commandline --search-mode
            and not commandline --paging-mode
            __glasstty_new_line
            commandline --function repaint
        else
            commandline --replace ''
        end
    end
    # In every mode; again when another set of bindings has brought its own.
    function __glasstty_bind --on-event fish_prompt
        bind --mode $fish_bind_mode \e\[34~ >/dev/null 2>/dev/null
        and return
        for mode in (bind --list-modes)
            bind --mode $mode \e\[34~ __glasstty_tell_line
        end
    end

    # The prompt between its marks, also when it has been given a new function.
    function __glasstty_wrap --on-event fish_prompt
        functions fish_prompt | string match --quiet '*__glasstty_own_prompt*'
        and return
        functions --erase __glasstty_own_prompt
        functions --query fish_prompt
        and functions --copy fish_prompt __glasstty_own_prompt
        function fish_prompt
            # The prompt may show the status of the last command.
            set -l last $status
            # Its editor gives an emoji with a selector two columns.
            __glasstty_count
            printf '\e]133;A;aid=%s;n=%s;columns=glyphs\a' $__glasstty_nonce $__glasstty_number
            if functions --query __glasstty_own_prompt
                __glasstty_set_status $last
                __glasstty_own_prompt
            end
            printf '\e]133;B;aid=%s;columns=glyphs\a' $__glasstty_nonce
        end
    end
    function __glasstty_set_status
        return $argv[1]
    end

    __glasstty_wrap
    __glasstty_tell_directory
end
set -e GLASSTTY_NONCE
set -e GLASSTTY_HISTORY
