import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from './pages.ts'

export interface Shell {
  /** Everything that the commands print, and whether one of them failed. */
  run(commands: string): Promise<{ readonly output: string; readonly failed: boolean }>
  end(): void
}

const mark = 'end-of-block'
/** The commands of a reader: memoryd of this checkout, and an HTTP failure is a failure. Nobody is there to agree. */
const prelude = `
set -E -o pipefail
exec 2>&1
trap 'failed=1' ERR
curl() { command curl --fail-with-body --no-progress-meter "$@"; }
memoryd() {
  [ "$1" = connect ] && set -- "$@" --yes
  '${process.execPath}' '${path.join(root, 'src/cli.ts')}' "$@" </dev/null
}
npm() {
  [ "$1 $2 $3 $4" = 'run -s memoryd --' ] || { echo "npm $*: not to be run here"; return 1; }
  memoryd "\${@:5}"
}
`

/** One bash for a page: what a block sets, the next one knows. */
export function startShell(home: string, more: Readonly<Record<string, string>>): Shell {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, LOG_LEVEL: 'fatal', ...more },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let printed = ''
  bash.stdout.setEncoding('utf8')
  bash.stdin.write(prelude)
  return {
    run: async (commands) => {
      printed = ''
      bash.stdin.write(`failed=0\n${commands}\nprintf '\\n${mark} %s\\n' "$failed"\n`)
      for await (const part of bash.stdout.iterator({ destroyOnReturn: false })) {
        printed += part
        const end = new RegExp(`\\n${mark} ([01])\\n$`).exec(printed)
        if (end !== null) return { output: printed.slice(0, end.index), failed: end[1] === '1' }
      }
      return { output: printed, failed: true }
    },
    end: () => bash.stdin.end(),
  }
}
