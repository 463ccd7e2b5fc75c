import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { toast } from './toasts.tsx'

/** A call of the API as it can be pasted. The key is not in it: it is read from the environment. */
export interface ShownCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object | undefined
  /** The same with the clients, for example `client.recall(${body})`. */
  readonly typescript: string
  readonly python: string
}

const languages = ['curl', 'TypeScript', 'Python'] as const

/** Every call as curl, TypeScript and Python. */
export function Calls({ calls }: { readonly calls: readonly ShownCall[] }) {
  const language = useSignal<(typeof languages)[number]>('curl')
  const name = useId()
  const text = textOf(language.value, calls)
  return (
    <details class="calls">
      <summary>As code</summary>
      <div class="row spread">
        <fieldset class="segmented">
          <legend class="hidden">Language</legend>
          {languages.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name={name}
                checked={language.value === each}
                onChange={() => {
                  language.value = each
                }}
              />
              <span>{each}</span>
            </label>
          ))}
        </fieldset>
        <CopyButton text={text} />
      </div>
      <Code text={text} label={`The calls as ${language.value}`} />
    </details>
  )
}

interface CodeProps {
  readonly text: string
  readonly label: string
  /** Long lines go on in the next one. */
  readonly wrap?: boolean
}

/** Text in a box that scrolls by itself, also by keyboard. */
export function Code({ text, label, wrap = false }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <figure class={wrap ? 'code wrap' : 'code'} tabIndex={0} aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  )
}

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast('Copied.'),
      () => toast({ text: 'The browser did not allow to copy.', tone: 'bad' }),
    )
  return (
    <button type="button" class="button small" onClick={copy}>
      {label}
    </button>
  )
}

function textOf(language: (typeof languages)[number], calls: readonly ShownCall[]): string {
  switch (language) {
    case 'curl':
      return calls.map(curl).join('\n\n')
    case 'TypeScript':
      return [
        "import { Memoryd } from '@memoryd/client'",
        '',
        `const client = new Memoryd({ url: '${location.origin}' }) // MEMORYD_API_KEY is your key`,
        ...calls.map(({ typescript }) => `await ${typescript}`),
      ].join('\n')
    case 'Python':
      return [
        'from memoryd_client import Call, Memoryd, models',
        '',
        `client = Memoryd(url="${location.origin}")  # MEMORYD_API_KEY is your key`,
        ...calls.map(({ python }) => python),
      ].join('\n')
  }
}

function curl({ method, path, body }: ShownCall): string {
  const address = `'${quoted(`${location.origin}${path}`)}'`
  const lines = [
    `curl ${method === (body === undefined ? 'GET' : 'POST') ? '' : `-X ${method} `}${address}`,
    '  -H "x-api-key: $MEMORYD_API_KEY"',
    ...(body === undefined
      ? []
      : ["  -H 'content-type: application/json'", `  -d '${quoted(JSON.stringify(body))}'`]),
  ]
  return lines.join(' \\\n')
}

/** Inside single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", "'\\''")
