/** Wraps a function so that it remembers the result for each object, as long as the object exists. */
export function rememberEach<K extends object, V>(answer: (about: K) => V): (about: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (about) => {
    const found = known.get(about) ?? { value: answer(about) };
    known.set(about, found);
    return found.value;
  };
}
