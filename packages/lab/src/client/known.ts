/** Values that are made when they are first asked for. */
interface Known<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): unknown;
}

/** The value of a key. */
export function known<Key, Value>(values: Known<Key, Value>, key: Key, make: () => Value): Value {
  if (values.has(key)) return values.get(key)!;
  const made = make();
  values.set(key, made);
  return made;
}
