/** The part of WebAssembly that the kernels use; TypeScript declares it only together with the browser's types. */
declare namespace WebAssembly {
  /** Whether this machine can run the code. */
  function validate(bytes: Uint8Array): boolean
  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum?: number })
    readonly buffer: ArrayBuffer
    /** Adds 64 KiB pages; gives the number of pages before. */
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports?: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
}
