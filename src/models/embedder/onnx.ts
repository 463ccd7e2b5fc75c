import {
  bytesField,
  floatField,
  integerField,
  joinFields,
  messageField,
  textField,
  type Written,
} from './protobuf.ts'

/** Element types of ONNX tensors. */
export const FLOAT = 1
export const UINT8 = 2
const INT8 = 3
export const INT64 = 7

export interface GraphInput {
  readonly name: string
  readonly type: number
  /** Names of the axes: all of them vary. */
  readonly axes: readonly string[]
}

type Constant = Float32Array | Uint8Array | Int8Array | BigInt64Array

type Attribute = number | { readonly float: number } | readonly number[]

export interface GraphNode {
  readonly operator: string
  /** An empty name leaves an optional input out. */
  readonly inputs: readonly string[]
  readonly attributes?: Readonly<Record<string, Attribute>>
  /** One of onnxruntime's own operators. */
  readonly contributed?: boolean
}

/** A graph under construction. Every node has one output and is named after it. */
export interface GraphBuilder {
  constant(name: string, dimensions: readonly number[], values: Constant): string
  node(output: string, node: GraphNode): string
  /** Equal parts of the input along an axis. */
  split(outputs: readonly string[], input: string, axis: number): void
  /** The file. */
  finish(inputs: readonly GraphInput[], output: GraphInput): Uint8Array
}

function attributeValue(value: Attribute): readonly Written[] {
  if (typeof value === 'number') return [integerField(3, value), integerField(20, 2)]
  if ('float' in value) return [floatField(2, value.float), integerField(20, 1)]
  return [...value.map((item) => integerField(8, item)), integerField(20, 7)]
}

function attributeMessage(name: string, value: Attribute): Written {
  return messageField(5, [textField(1, name), ...attributeValue(value)])
}

function nodeMessage(outputs: readonly string[], node: GraphNode): Written {
  return messageField(1, [
    ...node.inputs.map((input) => textField(1, input)),
    ...outputs.map((output) => textField(2, output)),
    textField(4, node.operator),
    ...Object.entries(node.attributes ?? {}).map(([name, value]) => attributeMessage(name, value)),
    ...(node.contributed ? [textField(7, 'com.microsoft')] : []),
  ])
}

function valueMessage(number: number, value: GraphInput): Written {
  const shape = messageField(
    2,
    value.axes.map((axis) => messageField(1, [textField(2, axis)])),
  )
  const type = messageField(2, [messageField(1, [integerField(1, value.type), shape])])
  return messageField(number, [textField(1, value.name), type])
}

function elementType(values: Constant): number {
  if (values instanceof Float32Array) return FLOAT
  if (values instanceof BigInt64Array) return INT64
  return values instanceof Int8Array ? INT8 : UINT8
}

/** Writes ONNX files with the standard operators of opset 17 and onnxruntime's own. */
export function createGraphBuilder(): GraphBuilder {
  const nodes: Written[] = []
  const constants: Written[] = []
  return {
    constant: (name, dimensions, values) => {
      const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
      const sizes = dimensions.map((size) => integerField(1, size))
      constants.push(
        messageField(5, [
          ...sizes,
          integerField(2, elementType(values)),
          textField(8, name),
          bytesField(9, raw),
        ]),
      )
      return name
    },
    node: (output, node) => {
      nodes.push(nodeMessage([output], node))
      return output
    },
    split: (outputs, input, axis) => {
      nodes.push(nodeMessage(outputs, { operator: 'Split', inputs: [input], attributes: { axis } }))
    },
    finish: (inputs, output) => {
      const graph = messageField(7, [
        ...nodes,
        textField(2, 'embedder'),
        ...constants,
        ...inputs.map((input) => valueMessage(11, input)),
        valueMessage(12, output),
      ])
      const standard = messageField(8, [textField(1, ''), integerField(2, 17)])
      const contributed = messageField(8, [textField(1, 'com.microsoft'), integerField(2, 1)])
      return joinFields([integerField(1, 8), graph, standard, contributed])
    },
  }
}
