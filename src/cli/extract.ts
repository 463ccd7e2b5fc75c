import { extractCommand } from '../service/extract.ts'
import type { Command } from './command.ts'

/** `memoryd extract`: shows what the extractor reads from a text; needs no server and no store. */
export const extract: Command = {
  usage: '"TEXT" [--source user|assistant|document] [--speaker NAME] | --jsonl',
  run: (args, { terminal }) =>
    extractCommand(args, { stdin: process.stdin, stdout: (line) => terminal.out(line) }),
}
