import * as client from 'client/index.js'
import { program } from 'program.js'

export default {
  async test(_controller, options) {
    console.log(JSON.stringify(await program(client, options)))
  },
}
