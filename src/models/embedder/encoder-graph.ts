import { createGraphBuilder, FLOAT, type GraphBuilder, type GraphInput, INT64, UINT8 } from './onnx.ts'
import type { Weight, Weights } from './weights.ts'

/** How the encoder computes: as published, or with 8-bit weights and activations. */
export type Precision = 'fp32' | 'int8'

/** Length of the model's vectors. */
export const WIDTH = 384

/** The unsigned code that stands for zero in quantised activations. */
export const ACTIVATION_CENTRE = 128

const LAYERS = 12
const HEADS = 12
const NORM_EPSILON = 1e-12
const LARGEST_CODE = 127

interface Build {
  readonly graph: GraphBuilder
  readonly weights: Weights
  readonly precision: Precision
}

function weight(weights: Weights, name: string): Weight {
  const found = weights.get(name)
  if (!found) throw new Error(`The model file has no tensor ${name}`)
  return found
}

function constant({ graph, weights }: Build, name: string): string {
  const { dimensions, values } = weight(weights, name)
  return graph.constant(name, dimensions, values)
}

/** Matrices with the same rows, side by side: one multiplication instead of three. */
function joinColumns(parts: readonly Weight[]): Weight {
  const rows = parts[0]?.dimensions[0] ?? 0
  const columns = parts.reduce((sum, part) => sum + (part.dimensions[1] ?? 0), 0)
  const values = new Float32Array(rows * columns)
  let offset = 0
  for (const part of parts) {
    const width = part.dimensions[1] ?? 0
    for (let row = 0; row < rows; row++) {
      values.set(part.values.subarray(row * width, (row + 1) * width), row * columns + offset)
    }
    offset += width
  }
  return { dimensions: [rows, columns], values }
}

interface Quantized {
  readonly codes: Int8Array
  readonly scales: Float32Array
}

/** Codes of -127 to 127; `group` says which scale the value at a place belongs to. */
function quantize(values: Float32Array, groups: number, group: (place: number) => number): Quantized {
  const scales = new Float32Array(groups)
  for (let i = 0; i < values.length; i++) {
    const g = group(i)
    scales[g] = Math.max(scales[g] ?? 0, Math.abs(values[i] ?? 0))
  }
  for (let g = 0; g < groups; g++) scales[g] = (scales[g] ?? 0) / LARGEST_CODE
  const codes = new Int8Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const scale = scales[group(i)] ?? 0
    codes[i] = scale === 0 ? 0 : Math.round((values[i] ?? 0) / scale)
  }
  return { codes, scales }
}

/** Rows as 8-bit codes, every row on the scale of its own largest value: no text moves another's result. */
function quantizeRows({ graph }: Build, layer: string, input: string): { rows: string; steps: string } {
  const sizes = graph.node(`${layer}.sizes`, { operator: 'Abs', inputs: [input] })
  const largest = graph.node(`${layer}.largest`, {
    operator: 'ReduceMax',
    inputs: [sizes],
    attributes: { axes: [1], keepdims: 1 },
  })
  const steps = graph.node(`${layer}.steps`, { operator: 'Mul', inputs: [largest, 'one_step'] })
  const list = graph.node(`${layer}.step_list`, { operator: 'Reshape', inputs: [steps, 'as_list'] })
  const rows = graph.node(`${layer}.rows`, {
    operator: 'QuantizeLinear',
    inputs: [input, list, 'centres'],
    attributes: { axis: 0 },
  })
  return { rows, steps }
}

/** Input times the matrices of these parts, side by side, without bias: the operator that follows adds it. */
function multiply(build: Build, layer: string, parts: readonly string[], input: string): string {
  const { graph, weights, precision } = build
  const matrix = joinColumns(parts.map((part) => weight(weights, `${layer}.${part}.weight`)))
  if (precision === 'fp32') {
    const whole = graph.constant(`${layer}.matrix`, matrix.dimensions, matrix.values)
    return graph.node(`${layer}.product`, { operator: 'MatMul', inputs: [input, whole] })
  }
  const columns = matrix.dimensions[1] ?? 0
  const { codes, scales } = quantize(matrix.values, columns, (place) => place % columns)
  const { rows, steps } = quantizeRows(build, layer, input)
  const codeMatrix = graph.constant(`${layer}.codes`, matrix.dimensions, codes)
  const columnScales = graph.constant(`${layer}.scales`, [columns], scales)
  const scaled = graph.node(`${layer}.scaled`, {
    operator: 'MatMulIntegerToFloat',
    inputs: [rows, codeMatrix, 'one', columnScales, 'centre'],
    contributed: true,
  })
  return graph.node(`${layer}.product`, { operator: 'Mul', inputs: [scaled, steps] })
}

/**
 * Layer normalisation of input + bias + skip. Spelt out, because onnxruntime's own operator adds up one number
 * at a time and takes three times as long.
 */
function addAndNormalize(build: Build, layer: string, input: string, skip: string): string {
  const { graph, weights } = build
  const step = (name: string, operator: string, ...inputs: string[]): string =>
    graph.node(`${layer}.${name}`, { operator, inputs })
  const overRow = { axes: [1], keepdims: 1 }
  const bias = `${layer}.dense.bias`
  const biased = weights.has(bias) ? step('biased', 'Add', input, constant(build, bias)) : input
  const sum = step('sum', 'Add', biased, skip)
  const mean = graph.node(`${layer}.mean`, { operator: 'ReduceMean', inputs: [sum], attributes: overRow })
  const centred = step('centred', 'Sub', sum, mean)
  const squares = step('squares', 'Mul', centred, centred)
  const power = graph.node(`${layer}.power`, {
    operator: 'ReduceMean',
    inputs: [squares],
    attributes: overRow,
  })
  const length = step('length', 'Sqrt', step('floor', 'Add', power, 'norm_epsilon'))
  const unit = step('unit', 'Div', centred, length)
  const scaled = step('scaled_unit', 'Mul', unit, constant(build, `${layer}.LayerNorm.weight`))
  return step('normal', 'Add', scaled, constant(build, `${layer}.LayerNorm.bias`))
}

/** Word vectors: in int8 each word has its own scale, at a quarter of the memory. */
function words({ graph, weights, precision }: Build): string {
  const { dimensions, values } = weight(weights, 'embeddings.word_embeddings.weight')
  const [count = 0] = dimensions
  if (precision === 'fp32') {
    const table = graph.constant('words', dimensions, values)
    return graph.node('word', { operator: 'Gather', inputs: [table, 'token_ids'] })
  }
  const { codes, scales } = quantize(values, count, (place) => Math.floor(place / WIDTH))
  const table = graph.constant('words', dimensions, codes)
  const scaleTable = graph.constant('word_scales', [count, 1], scales)
  const code = graph.node('word_code', { operator: 'Gather', inputs: [table, 'token_ids'] })
  const float = graph.node('word_float', { operator: 'Cast', inputs: [code], attributes: { to: FLOAT } })
  const scale = graph.node('word_scale', { operator: 'Gather', inputs: [scaleTable, 'token_ids'] })
  return graph.node('word', { operator: 'Mul', inputs: [float, scale] })
}

/** Position and segment vectors in one table: there is only ever one segment. */
function places({ graph, weights }: Build): string {
  const { dimensions, values } = weight(weights, 'embeddings.position_embeddings.weight')
  const segment = weight(weights, 'embeddings.token_type_embeddings.weight').values
  const sums = values.map((value, i) => value + (segment[i % WIDTH] ?? 0))
  const table = graph.constant('places', dimensions, sums)
  return graph.node('place', { operator: 'Gather', inputs: [table, 'positions'] })
}

function attention(build: Build, layer: string, input: string): string {
  const { graph, weights } = build
  const roles = ['query', 'key', 'value']
  const joined = multiply(build, `${layer}.attention.self`, roles, input)
  const parts = roles.map((role) => `${layer}.${role}`)
  graph.split(parts, joined, 1)
  const shaped = parts.map((part) =>
    graph.node(`${part}.texts`, { operator: 'Reshape', inputs: [part, 'shape'] }),
  )
  const biases = roles.flatMap((role) => [...weight(weights, `${layer}.attention.self.${role}.bias`).values])
  const bias = graph.constant(`${layer}.attention.bias`, [biases.length], Float32Array.from(biases))
  const attended = graph.node(`${layer}.attended`, {
    operator: 'MultiHeadAttention',
    inputs: [...shaped, bias],
    attributes: { num_heads: HEADS },
    contributed: true,
  })
  const rows = graph.node(`${layer}.attended.rows`, { operator: 'Reshape', inputs: [attended, 'as_rows'] })
  return multiply(build, `${layer}.attention.output`, ['dense'], rows)
}

function encoderLayer(build: Build, index: number, input: string): string {
  const layer = `encoder.layer.${index}`
  const middle = addAndNormalize(build, `${layer}.attention.output`, attention(build, layer, input), input)
  const wide = multiply(build, `${layer}.intermediate`, ['dense'], middle)
  const active = build.graph.node(`${layer}.active`, {
    operator: 'BiasGelu',
    inputs: [wide, constant(build, `${layer}.intermediate.dense.bias`)],
    contributed: true,
  })
  const narrow = multiply(build, `${layer}.output`, ['dense'], active)
  return addAndNormalize(build, `${layer}.output`, narrow, middle)
}

/** Inputs that all precisions have; texts of one run have the same length, so that nothing is padded. */
const INPUTS: readonly GraphInput[] = [
  { name: 'token_ids', type: INT64, axes: ['rows'] },
  { name: 'positions', type: INT64, axes: ['rows'] },
  // Texts, tokens a text, -1.
  { name: 'shape', type: INT64, axes: ['three'] },
  // 1/tokens for every token: the mean over a text is a product with it.
  { name: 'share', type: FLOAT, axes: ['texts', 'one', 'length'] },
]

/** ACTIVATION_CENTRE once a row. */
const CENTRES: GraphInput = { name: 'centres', type: UINT8, axes: ['rows'] }

/** The bytes of an ONNX file of the encoder, pooling included. Output `pooled`: texts × 1 × WIDTH. */
export function buildEncoder(weights: Weights, precision: Precision): Uint8Array {
  const graph = createGraphBuilder()
  const build: Build = { graph, weights, precision }
  graph.constant('as_rows', [2], BigInt64Array.of(-1n, BigInt(WIDTH)))
  graph.constant('norm_epsilon', [], Float32Array.of(NORM_EPSILON))
  if (precision === 'int8') {
    graph.constant('one', [], Float32Array.of(1))
    graph.constant('one_step', [], Float32Array.of(1 / LARGEST_CODE))
    graph.constant('centre', [], Uint8Array.of(ACTIVATION_CENTRE))
    graph.constant('as_list', [1], BigInt64Array.of(-1n))
  }
  let hidden = addAndNormalize(build, 'embeddings', words(build), places(build))
  for (let layer = 0; layer < LAYERS; layer++) hidden = encoderLayer(build, layer, hidden)
  const texts = graph.node('texts', { operator: 'Reshape', inputs: [hidden, 'shape'] })
  graph.node('pooled', { operator: 'MatMul', inputs: ['share', texts] })
  return graph.finish(precision === 'int8' ? [...INPUTS, CENTRES] : INPUTS, {
    name: 'pooled',
    type: FLOAT,
    axes: ['texts', 'one', 'width'],
  })
}
