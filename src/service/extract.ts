export { extractCommand } from '../models/facts/command.ts'
