// Ends with 0 when memoryd on this machine is ready. Health always answers 200, so somebody has to read what it says.
const address = `http://127.0.0.1:${process.env.PORT || 7420}/brain/health`
try {
  const response = await fetch(address, { signal: AbortSignal.timeout(4_000) })
  const health = await response.json()
  if (health.ready !== true) throw new Error(JSON.stringify(health))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
