import { z } from 'zod'

export const isoDate = (name: string) =>
  z
    .string({ error: `${name} must be a date in the form of ISO 8601` })
    .refine((value) => !Number.isNaN(Date.parse(value)), `${name} must be a date in the form of ISO 8601`)
    .nullish()

/** Seconds; `span` is what a day without a time of day adds. */
export const secondsOf = (date: string | null | undefined, span: number) =>
  date == null ? null : Date.parse(date) / 1_000 + (date.includes(':') ? 0 : span)
