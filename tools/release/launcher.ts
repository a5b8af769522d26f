import { serverEnvironment, serverSettings } from '../server-flags.mjs'

/**
 * The program `hilum` of a release, for any POSIX shell: hands over to Node, so that signals and systemd reach the server
 * itself. Threads of V8's own collector are counted as `server-flags.mjs` counts them.
 */
export function launcherText(platform: string): string {
  const [system = '', machine = ''] = platform.split('-')
  const kernel = { linux: 'Linux' }[system] ?? system
  const machines = { x64: 'x86_64|amd64', arm64: 'aarch64|arm64' }[machine] ?? machine
  const patterns = machines
    .split('|')
    .map((one) => `"${kernel} ${one}"`)
    .join(' | ')
  return `#!/bin/sh
# hilum [start] [--empty]   starts Hilum
# hilum <command> …         what is done beside running it: hilum help
set -eu
here=$(CDPATH= cd -P -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
case "$(uname -s) $(uname -m)" in
  ${patterns}) ;;
  *) echo "This release of Hilum is for ${platform}; this machine is $(uname -s) $(uname -m)." >&2; exit 1 ;;
esac
LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LD_LIBRARY_PATH
if ! said=$("$here/bin/node" --version 2>&1); then
  echo "Node does not run on this machine: $said" >&2
  echo "It needs the GNU C library 2.28 or later and libstdc++ (Debian: apt install libstdc++6)." >&2
  exit 1
fi
if [ $# -gt 0 ] && [ "$1" != start ] && [ "\${1#--}" = "$1" ]; then
  exec "$here/bin/node" "$here/server/src/cli/hilum.ts" "$@"
fi
if [ $# -gt 0 ] && [ "$1" = start ]; then shift; fi
if [ $# -gt 0 ] && [ "$1" = --help ]; then exec "$here/bin/node" "$here/server/src/cli/hilum.ts" help; fi
threads=$(($(nproc 2>/dev/null || echo 2) - 1))
if [ "$threads" -lt 1 ]; then threads=1; fi
if [ "$threads" -gt 4 ]; then threads=4; fi
MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-${serverEnvironment.MALLOC_ARENA_MAX}}"
export MALLOC_ARENA_MAX
exec "$here/bin/node" ${serverSettings.join(' ')} "--v8-pool-size=$threads" "$here/server/src/main.ts" "$@"
`
}
