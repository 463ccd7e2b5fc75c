import * as client from '@memoryd/client'
import { program } from './program.js'

// Address and key are read from the environment, by the client itself.
console.log(JSON.stringify(await program(client, { persona: process.argv[2] })))
