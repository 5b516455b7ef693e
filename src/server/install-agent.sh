#!/bin/sh
# Fetches the agent of a Tocsin server, verifies it, and installs it as a service:
#   curl -fsSL @URL@/download/install-agent.sh | sudo sh -s -- --token TOKEN
# Everything is in one function that the last line calls: half a script does nothing.

main() {
  set -eu
  url=@QUOTED_URL@
  sum=@SHA256@

  for word in "$@"; do
    case $word in
      -h | --help)
        usage
        return 0
        ;;
    esac
  done

  find_node
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 1' HUP INT TERM
  file=$folder/tocsin-agent.mjs
  fetch "$url/download/tocsin-agent.mjs" "$file"

  found=$(node -e 'const { createHash } = require("crypto"), { readFileSync } = require("fs");
    console.log(createHash("sha256").update(readFileSync(process.argv[1])).digest("hex"))' "$file")
  [ "$found" = "$sum" ] || fail "The agent that $url served is not the one that this script was made for:
  expected SHA-256 $sum
  received SHA-256 $found
The server may have been upgraded this very minute: fetch this script again. If it stays so, something on the way changes files."

  node "$file" install --url "$url" "$@"
}

usage() {
  cat <<END
Installs the Tocsin agent on this machine and enrols it at $url.

  sh install-agent.sh --token TOKEN [--labels LABELS] [--name NAME] [--print]

  --token TOKEN    an enrolment token: the dashboard makes one under Hosts
  --labels LABELS  comma-separated key=value or bare labels
  --name NAME      the name of the host, instead of its hostname
  --print          shows every file and command, and changes nothing
  --url URL        another address of the server

As root it installs a service of the system; as anybody else one of that user. It needs Node 20 or newer.
END
}

find_node() {
  command -v node > /dev/null 2>&1 || fail "There is no Node on this machine (or not in the PATH of $(id -un)), and the agent needs Node 20 or newer.
$(how_to_get_node)"
  version=$(node -p 'process.versions.node')
  [ "${version%%.*}" -ge 20 ] || fail "Node $version is too old: the agent needs Node 20 or newer.
$(how_to_get_node)"
}

how_to_get_node() {
  if [ "$(uname -s)" = Darwin ]; then
    echo 'Get it with: brew install node'
  elif command -v apt-get > /dev/null 2>&1; then
    echo 'Get it with: apt-get install nodejs
(Debian 13 and Ubuntu 25.04 or newer have one that is new enough; before, see https://nodejs.org/en/download)'
  elif command -v dnf > /dev/null 2>&1; then
    echo 'Get it with: dnf install nodejs   (RHEL 9: dnf module install nodejs:22)'
  else
    echo 'Get it with the package manager of this system, or from https://nodejs.org/en/download'
  fi
}

fetch() {
  if command -v curl > /dev/null 2>&1; then
    curl -fsSL -o "$2" "$1" || fail "$1 cannot be fetched."
  elif command -v wget > /dev/null 2>&1; then
    wget -q -O "$2" "$1" || fail "$1 cannot be fetched."
  else
    fail 'Neither curl nor wget is installed: one of them is needed to fetch the agent.'
  fi
}

fail() {
  echo "$1" >&2
  exit 1
}

main "$@"
