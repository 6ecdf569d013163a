#!/usr/bin/env bash
# Runs one skilleval command for the Action: the inputs come as INPUT_… variables, reports go to the step summary, to
# annotations, to a comment and to files, and the exit code is the command's own.
# No input is ever evaluated: each becomes one element of an array of arguments. Works with bash 3.2.
set -euo pipefail

command=${INPUT_COMMAND:-run}
comment_word=${INPUT_COMMENT:-false}
sarif_word=${INPUT_SARIF:-false}
args=()
faults=()

fault() { faults+=("$1"); }

# output sets an output of the step; a value is always one line.
output() { printf '%s=%s\n' "$1" "${2//[$'\r\n']/ }" >> "$GITHUB_OUTPUT"; }

# remark prints an annotation of the level $1 with the text $2.
remark() {
  local text=${2//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::%s title=skilleval::%s\n' "$1" "${text//$'\n'/%0A}"
}

# each_line calls a function with every line of the text $1 that is not blank, without the blanks around it.
each_line() {
  local line text=$1
  shift
  while IFS= read -r line; do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    if [ -n "$line" ]; then "$@" "$line"; fi
  done <<< "$text"
}

add_gate() { args+=("--gate=$1"); }
add_argument() { args+=("$1"); }

# takes refuses the input $1 with the value $2 unless the command is one of the rest.
takes() {
  local name=$1 value=$2 one
  shift 2
  if [ -z "$value" ]; then return 0; fi
  for one in "$@"; do
    if [ "$one" = "$command" ]; then return 0; fi
  done
  fault "the input $name does not belong to the command $command: it is for $*"
}

check_inputs() {
  case "$command" in
    run | gate | lint | similar | ab | compare) ;;
    *)
      fault "the input command names no command: write run, gate, lint, similar, ab or compare"
      return
      ;;
  esac
  takes suite "${INPUT_SUITE:-}" run lint similar ab
  takes run "${INPUT_RUN:-}" run gate ab compare
  takes baseline "${INPUT_BASELINE:-}" gate compare
  takes gate "${INPUT_GATE:-}" run gate
  takes fail-on "${INPUT_FAIL_ON:-}" lint
  takes fail-level "${INPUT_FAIL_LEVEL:-}" similar
  takes changed-since "${INPUT_CHANGED_SINCE:-}" lint similar
  case "$command" in
    gate) if [ -z "${INPUT_RUN:-}" ]; then fault "gate needs the input run: the run directory, such as the output run of an earlier step"; fi ;;
    compare) if [ -z "${INPUT_RUN:-}" ] || [ -z "${INPUT_BASELINE:-}" ]; then fault "compare needs the inputs baseline and run: two run directories"; fi ;;
  esac
  case "${INPUT_RUN:-}" in *$'\n'*) fault "the input run is one path, on one line" ;; esac
  case "$comment_word" in true | false) ;; *) fault "the input comment is true or false" ;; esac
  case "$sarif_word" in true | false) ;; *) fault "the input sarif is true or false" ;; esac
}

# digest_of prints a short number for the text $1.
digest_of() { printf '%s' "$1" | cksum | cut -d ' ' -f 1; }

# name_report sets what the comment and the category are found again by: plain characters, at most 90. Where that drops
# characters, a number that stands for the whole name keeps it apart from others.
name_report() {
  local whole=${INPUT_MARKER:-"skilleval $command${INPUT_SUITE:+ $INPUT_SUITE}"}
  marker=$(printf '%s' "$whole" | LC_ALL=C tr -c 'A-Za-z0-9._/-' ' ' | tr -s ' -')
  marker=${marker# }
  marker=${marker% }
  if [ "$marker" != "$whole" ] || [ "${#marker}" -gt 90 ]; then
    marker=$(printf '%s' "$marker" | cut -c 1-79)
    marker="${marker% } $(digest_of "$whole")"
    marker=${marker# }
  fi
  category=${marker// //}
  case "${INPUT_MARKER:-${INPUT_SUITE:-}}" in *' '*) category="$category/$(digest_of "$whole")" ;; esac
}

# name_paths makes a fresh directory for the reports.
name_paths() {
  reports=$(mktemp -d "${RUNNER_TEMP:-/tmp}/skilleval-report-XXXXXX")
  run_directory=${INPUT_RUN:-}
  case "$command" in run | ab) run_directory=${run_directory:-$reports/run} ;; esac
}

# is_suite reports a suite, as opposed to a folder of skills.
is_suite() {
  case "$1" in *.yaml | *.yml) return 0 ;; esac
  [ -f "$1/skilleval.yaml" ]
}

build_arguments() {
  local suite=${INPUT_SUITE:-} positional=(--)
  args=("$command" -o table -o "json=$reports/report.json" -o "markdown=$reports/report.md"
    -o "sarif=$reports/report.sarif" -o "github=$reports/annotations.txt" "--comment-marker=$marker")
  case "$command" in
    run | ab)
      args+=(--no-progress "--out=$run_directory")
      if [ -n "$suite" ]; then positional+=("$suite"); fi
      ;;
    lint | similar)
      if [ -z "$suite" ]; then :; elif is_suite "$suite"; then args+=("--config=$suite"); else positional+=("$suite"); fi
      ;;
    gate) positional+=("$run_directory") ;;
    compare) positional+=("$INPUT_BASELINE" "$run_directory") ;;
  esac
  if [ "$command" = gate ] && [ -n "${INPUT_BASELINE:-}" ]; then args+=("--baseline=$INPUT_BASELINE"); fi
  if [ -n "${INPUT_FAIL_ON:-}" ]; then args+=("--fail-on=$INPUT_FAIL_ON"); fi
  if [ -n "${INPUT_FAIL_LEVEL:-}" ]; then args+=("--fail-level=$INPUT_FAIL_LEVEL"); fi
  if [ -n "${INPUT_CHANGED_SINCE:-}" ]; then args+=("--changed-since=$INPUT_CHANGED_SINCE"); fi
  each_line "${INPUT_GATE:-}" add_gate
  each_line "${INPUT_ARGUMENTS:-}" add_argument
  args+=("${positional[@]}")
}

# measure runs the command and sets code. Its text may hold anything, so nothing in it is read as a workflow command;
# the annotations, which are escaped, are printed after it.
measure() {
  local word
  word="end-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  printf '::stop-commands::%s\n' "$word"
  set +e
  {
    "$PROGRAM" "${args[@]}" 2>&1 1>&3 3>&- | tee "$reports/stderr.txt" >&2
    code=${PIPESTATUS[0]}
  } 3>&1
  set -e
  printf '\n::%s::\n' "$word"
  if [ -s "$reports/annotations.txt" ]; then cat "$reports/annotations.txt"; fi
}

# refuse says what is wrong with the inputs, as the command would: exit code 2.
refuse() {
  code=2
  printf '%s\n' "${faults[@]}" | tee "$reports/stderr.txt" >&2
  remark error "$(cat "$reports/stderr.txt")"
}

verdict_of() {
  case "$1" in 0) echo passed ;; 1) echo failed ;; *) echo error ;; esac
}

# compose writes the comment: the marker first, then the verdict, then the report, or what went wrong.
compose() {
  printf '<!-- %s -->\n### %s: %s\n\n' "$marker" "$marker" "$verdict" > "$reports/comment.md"
  if [ -s "$reports/report.md" ]; then
    sed '1{/^<!-- /d;}' "$reports/report.md" >> "$reports/comment.md"
  fi
  if [ "$verdict" = error ]; then
    {
      printf '\nNothing was decided: exit code %s.\n\n' "$code"
      tail -n 10 "$reports/stderr.txt" | LC_ALL=C tr -d '\000-\010\013-\037\177' | cut -c 1-200 | sed 's/^/    /'
    } > "$reports/error.md"
    if [ "$(wc -c < "$reports/comment.md")" -lt 60000 ]; then cat "$reports/error.md" >> "$reports/comment.md"; fi
  fi
  cat "$reports/comment.md" >> "$GITHUB_STEP_SUMMARY"
  printf '\n' >> "$GITHUB_STEP_SUMMARY"
}

# accuracy prints the selection accuracy of the run, of its last arm where it has several.
accuracy() {
  if [ ! -s "$reports/report.json" ]; then return 0; fi
  if ! command -v jq > /dev/null; then
    remark notice "the output accuracy is left empty: it needs the program jq" >&2
    return 0
  fi
  jq -r '[.arms[]?.selection.accuracy.value | numbers] | last // empty' "$reports/report.json"
}

# set_outputs tells later steps what happened, whatever it was.
set_outputs() {
  output verdict "$verdict"
  output exit-code "$code"
  output accuracy "$(accuracy)"
  output run "$run_directory"
  if [ -s "$reports/report.md" ]; then output markdown "$reports/report.md"; fi
  if [ -s "$reports/report.json" ]; then output json "$reports/report.json"; fi
  if [ -s "$reports/report.sarif" ]; then
    output sarif "$reports/report.sarif"
    output category "$category"
    output upload "$(may_upload)"
  fi
}

# may_upload is true where SARIF is wanted and the token of the job can be allowed to upload it.
may_upload() {
  if [ "$sarif_word" != true ]; then
    echo false
  elif [ -n "${PULL_REQUEST:-}" ] && { [ "${HEAD_REPOSITORY:-}" != "${GITHUB_REPOSITORY:-}" ] || [ "${GITHUB_ACTOR:-}" = 'dependabot[bot]' ]; }; then
    remark notice "the findings are not uploaded: the token of this pull request may only read" >&2
    echo false
  else
    echo true
  fi
}

# earlier_comment prints the id of the comment that an earlier run wrote: its first line is the marker, and its author
# is the one that writes now. Comments of others are left alone.
earlier_comment() {
  local me id kind login first
  me=$(gh api user --jq .login 2> /dev/null) || me='' # the token of a job is no user
  gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments?per_page=100" \
    --jq '.[] | [.id, .user.type, .user.login, (.body // "" | split("\n")[0])] | @tsv' > "$reports/comments.tsv" || return 1
  while IFS=$'\t' read -r id kind login first; do
    first=${first%'\r'}
    if [ "$first" != "<!-- $marker -->" ]; then continue; fi
    if [ "$login" = "$me" ] || { [ -z "$me" ] && [ "$kind" = Bot ]; }; then
      printf '%s\n' "$id"
      return 0
    fi
  done < "$reports/comments.tsv"
}

# send_comment renews the earlier comment or makes one.
send_comment() {
  local id
  id=$(earlier_comment) || return 1
  case "$id" in
    '') gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments" -F "body=@$reports/comment.md" --silent ;;
    *[!0-9]*) return 1 ;;
    *) gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$reports/comment.md" --silent ;;
  esac
}

# comment never changes the verdict: what keeps it from being written is said.
comment() {
  if [ -z "${PULL_REQUEST:-}" ]; then
    remark notice "no comment: this is no pull request"
  elif ! command -v gh > /dev/null; then
    remark warning "no comment: it needs the program gh"
  elif ! send_comment 2> "$reports/gh.txt"; then
    if grep -Eq 'HTTP (401|403|404)|not accessible' "$reports/gh.txt"; then
      remark notice "no comment: the token may not write to pull requests (permissions: pull-requests: write; a fork never may)"
    else
      remark warning "no comment: $(tail -n 3 "$reports/gh.txt")"
    fi
  fi
}

main() {
  output verdict error # until it is known
  name_report
  name_paths
  check_inputs
  code=3
  if [ "${#faults[@]}" -gt 0 ]; then
    refuse
  else
    build_arguments
    measure
    if [ "$code" = 0 ] && [ ! -s "$reports/report.json" ]; then
      fault "the command wrote no report, so nothing was checked: take flags such as --help, --rules, --calibration and --accept out of the input arguments"
      refuse
    fi
  fi
  verdict=$(verdict_of "$code")
  compose
  set_outputs
  if [ "$comment_word" = true ]; then comment; fi
  exit "$code"
}

main
