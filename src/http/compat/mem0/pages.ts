import { z } from 'zod'
import { digits, optional } from '../../fields.ts'

const mostPerPage = 100

export const pageQuery = z.object({
  page: optional(digits('page', 1, 100_000, 'integer'), 1),
  page_size: optional(digits('page_size', 1, mostPerPage, 'integer'), mostPerPage),
})

export const pageReply = <Item extends z.ZodType>(item: Item) =>
  z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  })

/** One page of what was counted, with the addresses of those beside it. */
export function pageOf<Item, Shown>(
  items: readonly Item[],
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
  path: string,
  shown: (item: Item) => Shown,
) {
  const start = (page - 1) * pageSize
  const address = (other: number) => `${path}?page=${other}&page_size=${pageSize}`
  return {
    count: items.length,
    next: start + pageSize < items.length ? address(page + 1) : null,
    previous: page > 1 ? address(page - 1) : null,
    results: items.slice(start, start + pageSize).map(shown),
  }
}
