import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** What the package ships, with the hash that each file must have. */
const files = {
  'parser.bin': '07293cd7876469d1a7e385689c4dfdddd8f5e0982bb9b4c1afd15c5ab284735d',
  'parser.json': 'd93b7e2c8afa81c587bdb9b780dbae9c85dc81de177e54bfeb2e690f4e4abb91',
  'words.txt': 'bfa89dd6c2f80eb010916e4b194014c87a1d2df86a14dabe6cc3d60d6fd60c65',
} as const

interface TensorEntry {
  readonly k: string
  readonly shape: readonly number[]
  readonly off: number
  readonly len: number
}

interface Header {
  readonly cfg: {
    readonly h: number
    readonly layers: number
    readonly hd: number
    readonly arc: number
    readonly lab: number
  }
  readonly tags: readonly string[]
  readonly labs: readonly string[]
  readonly t: readonly TensorEntry[]
}

/** Rows of 8-bit integers, each with its scale. */
export interface ByteRows {
  readonly scales: Float32Array
  readonly values: Int8Array
  readonly rows: number
  readonly columns: number
}

/** The trained parser as it lies on disk, decoded to floats where it is small. */
export interface Weights {
  readonly sizes: { hidden: number; layers: number; hash: number; arc: number; label: number }
  /** `UPOS/XPOS`, in the order of the tag scores. */
  readonly tags: readonly string[]
  readonly labels: readonly string[]
  readonly tensor: (name: string) => Float32Array
  readonly byteRows: (name: string) => ByteRows
  /** Known words, the most frequent first; word n has row n + 1 of `word.weight`. */
  readonly words: readonly string[]
}

/** Reads the weights beside this code. Throws when a file is missing or is not the one that was shipped. */
export function readWeights(): Weights {
  const header = JSON.parse(readVerified('parser.json').toString('utf8')) as Header
  const binary = readVerified('parser.bin')
  const entries = new Map(header.t.map((entry) => [entry.k, entry]))
  const bytesOf = (name: string) => {
    const entry = entries.get(name)
    if (!entry) throw new Error(`the parser's weights have no tensor ${name}`)
    const from = binary.byteOffset + entry.off
    return { entry, buffer: binary.buffer.slice(from, from + entry.len) as ArrayBuffer }
  }
  const { h, layers, hd, arc, lab } = header.cfg
  return {
    sizes: { hidden: h, layers, hash: hd, arc, label: lab },
    tags: header.tags,
    labels: header.labs,
    tensor: (name) => Float32Array.from(new Float16Array(bytesOf(name).buffer)),
    byteRows(name) {
      const { entry, buffer } = bytesOf(name)
      const [rows = 0, columns = 0] = entry.shape
      return {
        rows,
        columns,
        scales: new Float32Array(buffer, 0, rows),
        values: new Int8Array(buffer, rows * 4, rows * columns),
      }
    },
    words: readVerified('words.txt').toString('utf8').split('\n').filter(Boolean),
  }
}

function readVerified(name: keyof typeof files): Buffer {
  const bytes = readFileSync(new URL(`../weights/${name}`, import.meta.url))
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (hash !== files[name]) throw new Error(`${name} is not the file that was shipped: sha256 ${hash}`)
  return bytes
}
