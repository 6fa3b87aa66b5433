/**
 * Returns the function with a memory of its last result, for what many checks of one request ask about the same object. A
 * WeakMap costs half a microsecond for each new object, more than most of these answers.
 */
export function rememberLast<K extends object, V>(answer: (about: K) => V): (about: K) => V {
  let last: { readonly about: K; readonly value: V } | undefined;
  return (about) => {
    if (last?.about !== about) last = { about, value: answer(about) };
    return last.value;
  };
}
