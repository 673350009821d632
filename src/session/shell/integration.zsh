# glasstty's integration with zsh: your own start-up files are read as ever,
# and prompts and commands are marked (OSC 133), the directory told (OSC 7).
# zsh finds this file as .zshenv through ZDOTDIR; changes no file of yours.
#
# GLASSTTY_NONCE proves that a mark comes from here. It is taken out of the
# environment, so programs do not inherit it.

if [[ -n ${GLASSTTY_ZDOTDIR+x} ]]; then
  export ZDOTDIR=$GLASSTTY_ZDOTDIR
else
  unset ZDOTDIR
fi
unset GLASSTTY_ZDOTDIR
typeset -g __glasstty_nonce=${GLASSTTY_NONCE-}
unset GLASSTTY_NONCE

[[ -r ${ZDOTDIR-$HOME}/.zshenv ]] && builtin source "${ZDOTDIR-$HOME}/.zshenv"

if [[ -o interactive && -n $__glasstty_nonce ]]; then
  typeset -ga precmd_functions preexec_functions

  # Percent-escapes all that a mark may not hold; long lines are cut.
  __glasstty_escape() {
    emulate -L zsh -o extended_glob
    local text=${1[1,600]} MATCH MBEGIN MEND
    REPLY=${text//(#m)[%;[:cntrl:]]/%${(l:2::0:)$(([##16]#MATCH))}}
  }

  # The hooks below run their bodies where `set -x` traces to nobody, and where
  # marks go to the terminal after `exec >file` too. A DEBUG trap would print
  # the marks in the text of our code; `emulate -L` makes its removal local.
  __glasstty_preexec() {
    { __glasstty_begin "$1" } 2>/dev/null >/dev/tty
  }
  __glasstty_begin() {
    emulate -L zsh
    trap - DEBUG
    local REPLY
    __glasstty_escape "$1"
    builtin printf '\e]133;C;aid=%s;cmdline_url=%s\a' "$__glasstty_nonce" "$REPLY"
  }

  # Keeps itself last: a theme sets the prompt in a hook of its own. Runs for a
  # new line only (line=new), while the prompt is drawn again as often as the
  # editor likes.
  __glasstty_precmd() {
    { __glasstty_end } 2>/dev/null >/dev/tty
  }
  __glasstty_end() {
    local -i exit_status=$?
    emulate -L zsh
    trap - DEBUG
    local drawing=''
    [[ -o zle ]] && __glasstty_hook_editor && drawing=';draw=begun'
    builtin printf '\e]133;D;%d;aid=%s;line=new%s\a' $exit_status \
      "$__glasstty_nonce" "$drawing"
    if [[ $PWD != ${__glasstty_directory-} ]]; then
      local REPLY
      typeset -g __glasstty_directory=$PWD
      __glasstty_escape "$PWD"
      builtin printf '\e]7;file://%s%s\a' "${HOST-}" "$REPLY"
    fi
    if (( ! ${preexec_functions[(Ie)__glasstty_preexec]} )); then
      preexec_functions+=(__glasstty_preexec)
    fi
    if [[ ${precmd_functions[-1]-} != __glasstty_precmd ]]; then
      precmd_functions=(${precmd_functions:#__glasstty_precmd} __glasstty_precmd)
    fi
    local head=$'%{\e]133;A;aid='$__glasstty_nonce$'\a%}'
    local tail=$'%{\e]133;B;aid='$__glasstty_nonce$'\a%}'
    local more=$'%{\e]133;P;k=s;aid='$__glasstty_nonce$'\a%}'
    if [[ ${PS1-} != "$head"*"$tail" ]]; then
      PS1=${PS1//$head/}
      PS1=$head${PS1//$tail/}$tail
    fi
    [[ ${PS2-} == "$more"* ]] || PS2=$more${PS2-}
  }

  # zsh may fill the new line by itself (push-line, `print -z`), and draws that
  # behind the prompt: told when it is done. A widget of yours goes on to run.
  __glasstty_hook_editor() {
    [[ ${widgets[zle-line-init]-} == *azhw* ]] && return
    autoload -Uz +X add-zle-hook-widget &&
      add-zle-hook-widget line-init __glasstty_line_init
  }
  __glasstty_line_init() {
    { __glasstty_drawn } 2>/dev/null >/dev/tty
  }
  __glasstty_drawn() {
    emulate -L zsh
    trap - DEBUG
    builtin printf '\e]133;P;draw=done;aid=%s\a' "$__glasstty_nonce"
  }

  # zsh prints this and a row of blanks before it calls any hook (PROMPT_SP), so
  # here is where the output ends. No sign of an unfinished line: it would stay.
  typeset -g PROMPT_EOL_MARK=$'%{\e]133;D;%?;aid='$__glasstty_nonce$'\a%}'
  precmd_functions+=(__glasstty_precmd)
  preexec_functions+=(__glasstty_preexec)
fi
