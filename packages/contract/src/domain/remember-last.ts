/**
 * Wraps a function so that it remembers the last result. For checks that ask about the same object several times. A WeakMap would cost half
 * a microsecond for each object.
 */
export function rememberLast<K extends object, V>(answer: (about: K) => V): (about: K) => V {
  let last: { readonly about: K; readonly value: V } | undefined;
  return (about) => {
    if (last?.about !== about) last = { about, value: answer(about) };
    return last.value;
  };
}
