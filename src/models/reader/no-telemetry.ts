// onnxruntime tells its maker that and how it is used, and keeps an id for that, unless this is set before it is loaded.
// It looks at the environment of the process, which a worker thread cannot change: who opens one imports this.
process.env.ORT_DISABLE_TELEMETRY = '1'
