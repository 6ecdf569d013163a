#!/usr/bin/env bash
# Finds or builds the program for the Action.
#   build.sh find    names where the program of this very source belongs, and says whether it is there
#   build.sh build   builds it there, at PROGRAM
# The digest of the source is part of the path and of the cache key: another version never answers for this one.
set -euo pipefail

source_root=$(cd "$(dirname "$0")/../.." && pwd)

output() { printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"; }

# source_digest covers everything that is compiled or embedded; what only tests read makes no difference.
source_digest() {
  local sha256=(sha256sum)
  if ! command -v sha256sum > /dev/null; then sha256=(shasum -a 256); fi # macOS
  (
    cd "$source_root"
    find . -type d \( -name '.?*' -o -name testdata \) -prune -o -type f ! -name '*_test.go' -print |
      LC_ALL=C sort | tr '\n' '\0' | xargs -0 "${sha256[@]}" | "${sha256[@]}" | cut -d ' ' -f 1
  )
}

find_program() {
  local digest directory
  if [ -n "${INPUT_PROGRAM:-}" ]; then
    if [ ! -x "$INPUT_PROGRAM" ]; then
      echo "::error title=skilleval::the input program names no program: give the absolute path of a skilleval, or nothing"
      exit 2
    fi
    output there true
    output program "${INPUT_PROGRAM//[$'\r\n']/}"
    return
  fi
  digest=$(source_digest)
  directory="$RUNNER_TEMP/skilleval-$digest"
  output directory "$directory"
  output program "$directory/skilleval"
  output key "skilleval-${RUNNER_OS:-any}-${RUNNER_ARCH:-any}-$digest"
  if [ -x "$directory/skilleval" ]; then output there true; else output there false; fi
}

case "${1:-}" in
  find) find_program ;;
  build)
    cd "$source_root"
    CGO_ENABLED=0 GOWORK=off go build -trimpath -o "$PROGRAM" ./cmd/skilleval
    ;;
  *)
    echo "usage: build.sh find|build" >&2
    exit 2
    ;;
esac
