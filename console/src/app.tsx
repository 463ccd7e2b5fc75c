import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { degraded, limited } from './api.ts'
import { ConnectScreen } from './connect/screen.tsx'
import { FadingScreen } from './fading/screen.tsx'
import { GraphScreen } from './graph/screen.tsx'
import { health, watchHealth } from './health.ts'
import { MemoriesScreen } from './memories/screen.tsx'
import { href, place, visits } from './router.ts'
import { isSignedIn, linkToken, signOut } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { theme, themes } from './theme.ts'
import { TryScreen } from './try/screen.tsx'
import { Icon, type IconName } from './ui/icons.tsx'
import { Toasts, toast } from './ui/toasts.tsx'
import { WhyScreen } from './why/screen.tsx'

interface ScreenEntry {
  readonly path: string
  readonly name: string
  /** Fits under an icon. */
  readonly short?: string
  readonly icon: IconName
  readonly view: ComponentType
}

const screens: readonly ScreenEntry[] = [
  { path: 'try', name: 'Try it', icon: 'spark', view: TryScreen },
  { path: 'why', name: 'Why', icon: 'lens', view: WhyScreen },
  { path: 'memories', name: 'Memories', icon: 'list', view: MemoriesScreen },
  { path: 'graph', name: 'Graph', icon: 'graph', view: GraphScreen },
  { path: 'fading', name: 'Fading', icon: 'fade', view: FadingScreen },
  { path: 'connect', name: 'Connect & usage', short: 'Connect', icon: 'plug', view: ConnectScreen },
]

export function App() {
  useEffect(() => void watchHealth(), [])
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      {isSignedIn.value ? <Frame /> : <SignIn />}
      <Toasts />
    </>
  )
}

/** A button and not a link: the fragment of the address belongs to the router. */
function skip(): void {
  document.getElementById('main')?.focus()
}

function Frame() {
  const { screen } = place.value
  const current = screens.find(({ path }) => path === screen) ?? screens[0]
  const View = current?.view
  // The heading takes the focus where one goes; who has just loaded the page begins at its top.
  useEffect(() => {
    if (visits.value === 0) return
    scrollTo(0, 0)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [visits.value])
  return (
    <div class="frame">
      <header class="rail">
        <a class="brand" href={href('try')}>
          <Icon name="mark" />
          <span>memoryd</span>
        </a>
        <nav aria-label="Screens">
          <ul>
            {screens.map(({ path, name, short, icon }) => (
              <li key={path}>
                <a href={href(path)} {...(path === current?.path ? { 'aria-current': 'page' as const } : {})}>
                  <Icon name={icon} />
                  <span class="long">{name}</span>
                  <span class="short" aria-hidden="true">
                    {short ?? name}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="rail-foot">
          <ThemeSwitch />
          <button
            type="button"
            class="button quiet"
            onClick={() => {
              linkToken.value = null
              signOut()
              toast('Signed out. The key is no longer kept in this tab.')
            }}
          >
            <Icon name="leave" />
            <span>Sign out</span>
          </button>
          <p class="hint version">{versionText()}</p>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Condition />
        {View === undefined ? null : <View key={current?.path} />}
      </main>
    </div>
  )
}

function versionText(): string {
  const now = health.value
  return now === null || now === 'gone' ? '' : `${now.version} · ${now.mode}`
}

function ThemeSwitch() {
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'auto'
  return (
    <button
      type="button"
      class="button quiet"
      onClick={() => {
        theme.value = next
      }}
      aria-label={`Colours: ${theme.value}. Change to ${next}`}
    >
      <Icon name="contrast" />
      <span>{{ auto: 'Auto', light: 'Light', dark: 'Dark' }[theme.value]}</span>
    </button>
  )
}

/** Says when the service is not as it should be. */
function Condition() {
  const now = health.value
  const text = conditionText(now)
  return (
    <div role="status" class="condition-place">
      {text === null ? null : <p class="condition">{text}</p>}
    </div>
  )
}

function conditionText(now: typeof health.value): string | null {
  if (now === 'gone') return 'memoryd does not answer. This page keeps trying; start it again with npm start.'
  if (now !== null && now.models === 'loading')
    return 'memoryd is loading its models; that takes a few seconds.'
  if (now !== null && now.models !== 'loaded') return `The models cannot be used: ${now.models}`
  if (now !== null && !now.ready) {
    const broken = (['neo4j', 'qdrant', 'redis'] as const).filter((name) => now[name] !== 'connected')
    return `${broken.join(', ')} cannot be reached. What the other stores know is still found.`
  }
  if (limited.value !== null) return limited.value
  return degraded.value.length === 0
    ? null
    : `${degraded.value.join(', ')} did not answer: what you see may be incomplete.`
}
