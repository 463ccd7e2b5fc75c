export * from './client.ts'
export * from './errors.ts'
export type { Answer, Call, CallOptions } from './transport.ts'
export type { components, operations, paths } from './types.gen.ts'
