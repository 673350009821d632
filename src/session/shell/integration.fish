# glasstty's integration with fish: marks prompts and commands (OSC 133) and
# tells the directory (OSC 7). Given to fish as --init-command, after your own
# configuration; changes no file of yours.
#
# GLASSTTY_NONCE proves that a mark comes from here. It is taken out of the
# environment, so programs do not inherit it.

if status is-interactive; and set -q GLASSTTY_NONCE
    set -g __glasstty_nonce $GLASSTTY_NONCE

    function __glasstty_tell_directory --on-variable PWD
        printf '\e]7;file://%s%s\a' (hostname) (string escape --style=url -- $PWD)
    end

    function __glasstty_preexec --on-event fish_preexec
        set -l text (string sub --length 600 -- "$argv[1]" | string collect)
        printf '\e]133;C;aid=%s;cmdline_url=%s\a' $__glasstty_nonce (string escape --style=url -- $text)
    end

    function __glasstty_postexec --on-event fish_postexec
        printf '\e]133;D;%s;aid=%s\a' $status $__glasstty_nonce
    end

    # An empty line will be read. fish_prompt is also called when the prompt is
    # drawn again; this event comes once a line.
    function __glasstty_new_line --on-event fish_prompt
        printf '\e]133;D;aid=%s;line=new\a' $__glasstty_nonce
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
            printf '\e]133;A;aid=%s\a' $__glasstty_nonce
            if functions --query __glasstty_own_prompt
                __glasstty_set_status $last
                __glasstty_own_prompt
            end
            printf '\e]133;B;aid=%s\a' $__glasstty_nonce
        end
    end
    function __glasstty_set_status
        return $argv[1]
    end

    __glasstty_wrap
    __glasstty_tell_directory
end
set -e GLASSTTY_NONCE
