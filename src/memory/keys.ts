const externalPrefix = 'id:'
const documentPrefix = 'document:'

/** The key of an item that the caller named. */
export const externalKey = (id: string) => `${externalPrefix}${id}`

/** The caller's name in a key, with the number of the message in a conversation; null for another's key. */
export const readExternalKey = (key: string) =>
  key.startsWith(externalPrefix) ? key.slice(externalPrefix.length).replace('\u0000', '#') : null

/** The key of a document: never that of an item, whatever its name. */
export const documentKey = (path: string) => `${documentPrefix}${path}`

/** The path of a document's key; null for another's. */
export const pathOfKey = (key: string) =>
  key.startsWith(documentPrefix) ? key.slice(documentPrefix.length) : null

/** The id of one message of a conversation; no caller's id has such a character. */
export const turnId = (id: string, turn: number) => `${id}\u0000${turn}`
