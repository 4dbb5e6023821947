// Field schemas that several requests and responses share.
import { type Static, type TSchema, Type } from 'typebox';

/** Options of an object that accepts only the named fields. */
export const closed = { additionalProperties: false } as const;

/** Keyword of a field whose null is the same as leaving it out: the check of a request removes it. */
export const NULL_IS_ABSENT = 'x-null-is-absent';

/** A field of a request that may be left out, or be null, which is the same: many generated clients send null. */
export function OptionalOrNull<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string | string[]; enum?: unknown[] };
  const orNull = {
    ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
    ...rest,
    [NULL_IS_ABSENT]: true,
  };
  return Type.Optional(Type.Unsafe<Static<Schema>>(orNull));
}

export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** A text of 1 to `maxLength` characters, or null. */
export const NullableText = (maxLength: number) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength });

/** ISO 8601 in UTC, with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.123Z'] });
export const NullableTimestamp = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
});

/** SHA-256 in lower-case hexadecimal. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Pattern of an identifier (TypeID) with this prefix, e.g. `ch_01kb2m7x9ee6rbb4hd5v1kq0zt`. */
export const idPattern = (prefix: string) => `^${prefix}_[0-9a-z]{26}$`;
/** An identifier with this prefix. */
export const Id = (prefix: string) => Type.String({ pattern: idPattern(prefix) });
