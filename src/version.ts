import manifest from '../package.json' with { type: 'json' }

/** The version of this memoryd, as health and the command line say it. */
export const version: string = manifest.version
