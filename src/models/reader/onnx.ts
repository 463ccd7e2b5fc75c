import './no-telemetry.ts'

export { InferenceSession, Tensor } from 'onnxruntime-node'
