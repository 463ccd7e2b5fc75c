export { extractCommand } from '../models/extractor/command.ts'
