/** Shows how far it is: a bar for people, a line every few seconds for logs. */
export interface Progress {
  step(done: number, total: number): void
  end(): void
}

const everyMs = { bar: 100, line: 5_000 }
const width = 30

export function progressOn(stream: NodeJS.WriteStream): Progress {
  const started = performance.now()
  let last = 0
  let isOpen = false
  return {
    step: (done, total) => {
      const now = performance.now()
      if (now - last < (stream.isTTY ? everyMs.bar : everyMs.line) && (done < total || !stream.isTTY)) return
      last = now
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const rate = done / Math.max(0.001, (now - started) / 1000)
      const left = rate > 0 ? Math.ceil((total - done) / rate) : 0
      const text = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} (${Math.floor(share * 100)} %), ${rate.toFixed(0)} a second, ${spanOf(left)} left`
      const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
      stream.write(stream.isTTY ? `\r${bar} ${text}\u001b[K` : `${text}\n`)
      isOpen = stream.isTTY
    },
    end: () => {
      if (isOpen) stream.write('\n')
      isOpen = false
    },
  }
}

function spanOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
