# glasstty's integration with zsh: reads your own start-up files as usual, marks
# prompts and commands (OSC 133) and reports the directory (OSC 7). zsh finds
# this file as .zshenv through ZDOTDIR. It changes none of your files.
#
# GLASSTTY_NONCE proves that a mark comes from here. It is removed from the
# environment, so programs do not inherit it.
#
# GLASSTTY_HISTORY is the session's history file; without it, yours is used.

typeset -g __glasstty_note=$ZDOTDIR/terminal-note
# The file with a command that cannot be typed as text, and the line that runs it.
typeset -g __glasstty_command=${ZDOTDIR-}/command
typeset -g __glasstty_source=" . '$__glasstty_command'"
if [[ -n ${GLASSTTY_ZDOTDIR+x} ]]; then
  export ZDOTDIR=$GLASSTTY_ZDOTDIR
else
  unset ZDOTDIR
fi
unset GLASSTTY_ZDOTDIR
typeset -g __glasstty_nonce=${GLASSTTY_NONCE-}
unset GLASSTTY_NONCE
typeset -g __glasstty_history=${GLASSTTY_HISTORY-}
unset GLASSTTY_HISTORY

[[ -r ${ZDOTDIR-$HOME}/.zshenv ]] && builtin source "${ZDOTDIR-$HOME}/.zshenv"

if [[ -o interactive && -n $__glasstty_nonce ]]; then
  typeset -ga precmd_functions preexec_functions zshaddhistory_functions \
    zshexit_functions

  # Marks that prove the end of a command are numbered, so that an old mark that
  # a command prints from a log proves nothing.
  typeset -gi __glasstty_number=0

  # zsh prints this and a row of blanks before it calls any hook (PROMPT_SP), so
  # it marks the end of the output. It shows no sign of an unfinished line,
  # because the sign would stay.
  typeset -g __glasstty_eol=$'%{\e]133;D;%?;at=end;aid='$__glasstty_nonce$'\a%}'

  # Percent-escapes characters that are not allowed in a mark, and truncates
  # long lines.
  __glasstty_escape() {
    emulate -L zsh -o extended_glob
    local text=${1[1,600]} MATCH MBEGIN MEND
    REPLY=${text//(#m)[%;[:cntrl:]]/%${(l:2::0:)$(([##16]#MATCH))}}
  }

  # The hooks below redirect their bodies, so that traces (`set -x`) are
  # discarded, and marks reach the terminal even after `exec >file`. A DEBUG
  # trap would print the marks in the text of our code; `emulate -L` makes its
  # removal local.
  __glasstty_preexec() {
    {
      __glasstty_is_settled || __glasstty_settle
      __glasstty_begin "$1"
    } 2>/dev/null >/dev/tty
  }
  __glasstty_begin() {
    emulate -L zsh
    trap - DEBUG
    local REPLY
    # Your files may have replaced the list of the other hooks.
    __glasstty_hook
    __glasstty_escape "$1"
    builtin printf '\e]133;C;aid=%s;cmdline_url=%s\a' "$__glasstty_nonce" "$REPLY"
  }

  # Runs only for a new line (line=new); the editor may redraw the prompt at any
  # time.
  __glasstty_precmd() {
    {
      __glasstty_end
      __glasstty_is_settled || __glasstty_settle
    } 2>/dev/null >/dev/tty
  }
  __glasstty_end() {
    local -i exit_status=$?
    local facts=';line=new'
    if [[ -o prompt_sp && -o prompt_cr &&
      ${PROMPT_EOL_MARK-} == "$__glasstty_eol" ]]; then
      facts+=';end=told'
    fi
    emulate -L zsh
    trap - DEBUG
    [[ -o zle ]] && __glasstty_hook_editor && facts+=';draw=begun'
    local left=''
    [[ $exit_status -lt 128 && ! -s $__glasstty_note ]] || __glasstty_mend
    builtin printf '\e]133;D;%d;aid=%s;n=%d%s%s\a' $exit_status \
      "$__glasstty_nonce" $((++__glasstty_number)) "$facts" "$left"
    if [[ $PWD != ${__glasstty_directory-} ]]; then
      local REPLY
      typeset -g __glasstty_directory=$PWD
      __glasstty_escape "$PWD"
      builtin printf '\e]7;file://%s%s\a' "${HOST-}" "$REPLY"
    fi
    __glasstty_hook
    __glasstty_wrap
  }

  __glasstty_has_history() {
    [[ -z $__glasstty_history || ${HISTFILE-} == "$__glasstty_history" ]]
  }
  __glasstty_is_settled() {
    [[ -o interactive_comments && -o prompt_sp && -o prompt_cr &&
      ${PROMPT_EOL_MARK-} == "$__glasstty_eol" ]] && __glasstty_has_history
  }
  # Sets options that your files, or a plugin that loads late, may have changed.
  # A comment that is run as a command is dangerous, and without PROMPT_SP the
  # prompt is drawn over a last line without a newline. Does not use `emulate`,
  # which would restore the options at the end of the function.
  __glasstty_settle() {
    setopt interactive_comments prompt_cr prompt_sp
    typeset -g PROMPT_EOL_MARK=$__glasstty_eol
    __glasstty_use_history
  }

  # The session's history is a separate list (fc -p). The old list is not
  # written when the shell ends, because its SAVEHIST is 0.
  __glasstty_use_history() {
    emulate -L zsh
    if __glasstty_has_history; then
      return 0
    elif [[ ${(t)HISTFILE-} == *readonly* ]]; then
      [[ ${(t)SAVEHIST-} == *readonly* ]] || SAVEHIST=0
    elif (( ${+__glasstty_own_list} )); then
      HISTFILE=$__glasstty_history
    else
      typeset -g __glasstty_own_list=1
      local saved=${SAVEHIST:-0}
      SAVEHIST=0
      fc -p "$__glasstty_history" ${HISTSIZE:-1000} $saved
    fi
    return 0
  }
  __glasstty_zshexit() {
    { __glasstty_use_history } 2>/dev/null
  }
  # Called by the first line of a file with a command that could not be typed.
  # Puts the rest of the file into the history, in place of the line that ran the
  # file. The file has the text only once, because zsh would take as long to read
  # a quoted copy. Preserves $?.
  __glasstty_recall() {
    local -i exit_status=$?
    local text="$(<"$__glasstty_command")"
    builtin print -sr -- "${text#*$'\n'}"
    return $exit_status
  }
  __glasstty_zshaddhistory() {
    {
      __glasstty_has_history || __glasstty_use_history
      # Also excludes a line that was typed with marks, before this shell's own
      # marks were known.
      [[ $1 != "$__glasstty_source"$'\n' &&
        $1 != " printf '\\033]133;C;run="* ]]
    } 2>/dev/null
  }

  # Keeps our hook last, because a theme sets the prompt in its own hook.
  __glasstty_hook() {
    if (( ! ${preexec_functions[(Ie)__glasstty_preexec]} )); then
      preexec_functions+=(__glasstty_preexec)
    fi
    if [[ ${precmd_functions[-1]-} != __glasstty_precmd ]]; then
      precmd_functions=(${precmd_functions:#__glasstty_precmd} __glasstty_precmd)
    fi
  }

  __glasstty_is_wrapped() {
    [[ ${PS1-} == $'%{\e]133;A;aid='$__glasstty_nonce$'\a%}'*$'%{\e]133;B;aid='$__glasstty_nonce$'\a%}' ]]
  }
  __glasstty_wrap() {
    local head=$'%{\e]133;A;aid='$__glasstty_nonce$'\a%}'
    local tail=$'%{\e]133;B;aid='$__glasstty_nonce$'\a%}'
    local more=$'%{\e]133;P;k=s;aid='$__glasstty_nonce$'\a%}'
    if ! __glasstty_is_wrapped; then
      PS1=${PS1//$head/}
      PS1=$head${PS1//$tail/}$tail
    fi
    [[ ${PS2-} == "$more"* ]] || PS2=$more${PS2-}
  }

  # A program that was killed leaves its terminal settings behind, and the shell
  # continues with them. Resets the settings that are unsuitable for commands.
  # The holder writes a note when a program has changed settings.
  __glasstty_mend() {
    local before after
    [[ ! -s $__glasstty_note ]] || : >"$__glasstty_note"
    before=$(command stty -g </dev/tty) || return
    command stty iutf8 icrnl -inlcr -igncr -istrip -iuclc opost onlcr -ocrnl -onocr \
      -onlret -olcuc -ofill tab0 nl0 cr0 isig icanon iexten echo echoe echok \
      -noflsh -tostop intr '^C' quit '^\' susp '^Z' eof '^D' min 1 time 0 \
      </dev/tty
    after=$(command stty -g </dev/tty)
    [[ $before == $after ]] || left=';left=tty'
  }

  # zsh may prefill the new line (push-line, `print -z`), and draws the text
  # after the prompt. Hooks the editor to report when this is done. Your own
  # widgets still run.
  __glasstty_hook_editor() {
    if [[ ${widgets[zle-line-init]-} == *azhw* ]]; then
      local -a hooks
      zstyle -a zle-line-init widgets hooks
      [[ -n ${(M)hooks:#*:__glasstty_line_init} ]] && return
    fi
    # autoload fails for a function that is already loaded.
    (( ${+functions[add-zle-hook-widget]} )) ||
      autoload -Uz +X add-zle-hook-widget || return
    add-zle-hook-widget line-init __glasstty_line_init
  }
  __glasstty_line_init() {
    [[ ${CONTEXT-} == start ]] || return 0
    { __glasstty_drawn } 2>/dev/null >/dev/tty
  }
  # Reports that the line is drawn. If a theme's hook runs after ours and has
  # set the prompt without our marks, draws the prompt again with them.
  __glasstty_drawn() {
    emulate -L zsh
    trap - DEBUG
    __glasstty_hook
    if ! __glasstty_is_wrapped; then
      __glasstty_wrap
      zle .reset-prompt
    fi
    builtin printf '\e]133;P;draw=done;aid=%s;n=%d\a' "$__glasstty_nonce" \
      $((++__glasstty_number))
  }

  typeset -g PROMPT_EOL_MARK=$__glasstty_eol
  precmd_functions+=(__glasstty_precmd)
  preexec_functions+=(__glasstty_preexec)
  zshaddhistory_functions+=(__glasstty_zshaddhistory)
  zshexit_functions+=(__glasstty_zshexit)
fi
