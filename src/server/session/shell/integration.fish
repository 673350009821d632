# glasstty's integration with fish: marks prompts and commands (OSC 133) and
# reports the directory (OSC 7). fish gets it as --init-command, after your own
# configuration. It changes none of your files.
#
# GLASSTTY_NONCE proves that a mark comes from here. It is removed from the
# environment, so programs do not inherit it.
#
# GLASSTTY_HISTORY is set if the session has its own history.

if status is-interactive; and set -q GLASSTTY_NONCE
    set -g __glasstty_nonce $GLASSTTY_NONCE

    # Marks that prove the end of a command are numbered, so that an old mark
    # that a command prints from a log proves nothing.
    set -g __glasstty_number 0
    function __glasstty_count
        set -g __glasstty_number (math $__glasstty_number + 1)
    end

    # With an empty name, the history is kept only in memory.
    set -q GLASSTTY_HISTORY
    and set -g fish_history ''

    function __glasstty_tell_directory --on-variable PWD
        printf '\e]7;file://%s%s\a' (hostname) (string escape --style=url -- $PWD)
    end

    function __glasstty_preexec --on-event fish_preexec
        set -l text (string sub --length 600 -- "$argv[1]" | string collect)
        # Remembers a line of ours that runs a command from a file, to remove it
        # from the history.
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

    # Called by the file of a command, after a program that may have left its
    # terminal settings behind. fish adopts settings that a command makes, but
    # not those of an event handler. Preserves $status.
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

    # Output of your own handlers after a command is not output of the command.
    # So this moves your handlers behind ours, in their order.
    for handler in (functions --handlers |
            string replace --filter --regex '^fish_postexec (?!__glasstty_)' '')
        functions -- $handler | source
    end

    # Reports that an empty line will be read. The function fish_prompt is also
    # called when the prompt is redrawn, but the event fish_prompt occurs once
    # for each line.
    function __glasstty_new_line --on-event fish_prompt
        if set -q __glasstty_source
            builtin history delete --exact --case-sensitive -- $__glasstty_source
            set -e __glasstty_source
        end
        __glasstty_count
        printf '\e]133;D;aid=%s;n=%s;line=new\a' $__glasstty_nonce $__glasstty_number
    end

    # Bound to a key of glasstty's own: reports a new line if the line is empty,
    # because there is no other sign of this after an interrupt. Discards any
    # text that is left, and cancels a search or a list, which not every version
    # reports.
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
    # Binds the key in every mode, again if another set of bindings was loaded.
    function __glasstty_bind --on-event fish_prompt
        bind --mode $fish_bind_mode \e\[34~ >/dev/null 2>/dev/null
        and return
        for mode in (bind --list-modes)
            bind --mode $mode \e\[34~ __glasstty_tell_line
        end
    end

    # Puts the prompt between its marks, again if the prompt's function was
    # replaced.
    function __glasstty_wrap --on-event fish_prompt
        functions fish_prompt | string match --quiet '*__glasstty_own_prompt*'
        and return
        functions --erase __glasstty_own_prompt
        functions --query fish_prompt
        and functions --copy fish_prompt __glasstty_own_prompt
        function fish_prompt
            # The prompt may show the status of the last command.
            set -l last $status
            # columns=glyphs: fish's editor counts an emoji with a selector as
            # two columns.
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
