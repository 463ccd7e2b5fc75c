import { readFields } from './protobuf.ts'

/** A tensor of the published model, viewed in place: it keeps the whole file alive. */
export interface Weight {
  readonly dimensions: readonly number[]
  readonly values: Float32Array
}

/** The weights by name. A linear layer's matrix is found under the name of its layer, `….dense.weight`. */
export type Weights = ReadonlyMap<string, Weight>

// Field numbers of onnx.proto.
const MODEL_GRAPH = 7
const GRAPH = { node: 1, initializer: 5 } as const
const NODE = { input: 1, output: 2, operator: 4 } as const
const TENSOR = { dimensions: 1, name: 8, raw: 9 } as const

const utf8 = new TextDecoder()

function texts(message: Uint8Array, number: number): string[] {
  const found: string[] = []
  for (const field of readFields(message)) {
    if (field.number === number && field.value instanceof Uint8Array) found.push(utf8.decode(field.value))
  }
  return found
}

function readTensor(message: Uint8Array): { name: string; weight: Weight } | null {
  const dimensions: number[] = []
  let name = ''
  let raw: Uint8Array | null = null
  for (const { number, value } of readFields(message)) {
    if (number === TENSOR.dimensions && typeof value === 'bigint') dimensions.push(Number(value))
    if (number === TENSOR.name && value instanceof Uint8Array) name = utf8.decode(value)
    if (number === TENSOR.raw && value instanceof Uint8Array) raw = value
  }
  const count = dimensions.reduce((product, size) => product * size, 1)
  if (raw?.length !== count * 4) return null
  // Raw data may start anywhere in the file, a Float32Array may not.
  const aligned = raw.byteOffset % 4 === 0 ? raw : new Uint8Array(raw)
  return { name, weight: { dimensions, values: new Float32Array(aligned.buffer, aligned.byteOffset, count) } }
}

/** Exporters rename the matrix of a linear layer; the node that multiplies by it still carries the layer's name. */
function layerOfMatrix(node: Uint8Array): { layer: string; matrix: string } | null {
  const [output] = texts(node, NODE.output)
  const [, matrix] = texts(node, NODE.input)
  const layer = /^\/(encoder\/layer\..*)\/MatMul_output_0$/.exec(output ?? '')?.[1]
  if (texts(node, NODE.operator)[0] !== 'MatMul' || layer === undefined || matrix === undefined) return null
  return { layer: layer.replaceAll('/', '.'), matrix }
}

/** Every float tensor of an ONNX file of a BERT encoder. */
export function readWeights(file: Uint8Array): Weights {
  const weights = new Map<string, Weight>()
  const matrices: { layer: string; matrix: string }[] = []
  for (const { number, value: graph } of readFields(file)) {
    if (number !== MODEL_GRAPH || !(graph instanceof Uint8Array)) continue
    for (const { number: part, value } of readFields(graph)) {
      if (!(value instanceof Uint8Array)) continue
      const tensor = part === GRAPH.initializer ? readTensor(value) : null
      if (tensor) weights.set(tensor.name, tensor.weight)
      const named = part === GRAPH.node ? layerOfMatrix(value) : null
      if (named) matrices.push(named)
    }
  }
  for (const { layer, matrix } of matrices) {
    const weight = weights.get(matrix)
    if (weight) weights.set(`${layer}.weight`, weight)
  }
  return weights
}
