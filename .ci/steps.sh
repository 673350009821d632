# Runs named steps and reports how each of them ended. Sourced by .ci/run and
# ./dev check.
#
# Each step's output is shown and kept. Behind the last step stand the last lines
# of those that failed, a table of seconds, and `N passed, N failed`: the sum of
# what the steps counted (a line of this form), and one for each step that failed
# without counting a failure.

step_logs=$(mktemp -d)
trap 'rm -rf "$step_logs"' EXIT
step_rows=()
failed_steps=()

# step NAME COMMAND...
step() {
  local name=$1 start=$SECONDS result=passed
  local log=$step_logs/$name
  shift
  printf '\n######## %s\n' "$name"
  "$@" 2>&1 | tee "$log" || result=FAILED
  [ "$result" = passed ] || failed_steps+=("$name")
  step_rows+=("$(printf '%6d s  %-6s  %s' $((SECONDS - start)) "$result" "$name")")
}

# gate_step NAME COMMAND...: a step without which the others need not begin.
gate_step() {
  step "$@"
  [ ${#failed_steps[@]} = 0 ] || report_steps
}

# report_steps: ends the script, with 1 if a step failed.
report_steps() {
  local name passed=0 failed=0 step_passed step_failed
  for name in "${failed_steps[@]}"; do
    printf '\n######## %s FAILED; its last lines were:\n' "$name"
    grep -v '^ *$' "$step_logs/$name" | tail -n 20
  done
  for name in "$step_logs"/*; do
    read -r step_passed step_failed < <(sed -nE \
      's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$name" | awk '{ p += $1; f += $2 } END { print p + 0, f + 0 }')
    case " ${failed_steps[*]} " in
      *" ${name##*/} "*) [ "$step_failed" -gt 0 ] || step_failed=1 ;;
    esac
    passed=$((passed + step_passed)) failed=$((failed + step_failed))
  done
  printf '\n'
  printf '%s\n' "${step_rows[@]}"
  [ ${#failed_steps[@]} = 0 ] || printf 'failed: %s\n' "${failed_steps[*]}"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ ${#failed_steps[@]} = 0 ] || exit 1
  exit 0
}
