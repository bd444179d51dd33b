// SDK types in camelCase, as the wire spells them.

/** `topP` is `top_p`. */
type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : S;

/** The fields of every member of `T` under their names on the wire. The values keep the SDK's types: read them with their own. */
export type OnTheWire<T> = T extends unknown
  ? { [K in keyof T as string extends K ? never : K extends string ? SnakeCase<K> : never]: T[K] }
  : never;
