import { type ComponentType, type ReactNode, useLayoutEffect, useState } from 'react';
import { loadPart } from './load-part.ts';

/** A component whose code is loaded when it is first shown. */
interface LazyComponent<Props> {
  (props: Props & { readonly fallback?: ReactNode }): ReactNode;
  /** Loads the code before it is needed. If that fails, the code is loaded again when the component is shown. */
  readonly preload: () => void;
}

/**
 * Makes a component whose code `load` loads, by `loadPart`. Until the code is there, `fallback` is shown.
 *
 * With React's `lazy`, a component appears at least 300 ms after its fallback, even if its code was loaded before
 * (https://github.com/react/react/issues/31819).
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const start = (): Promise<void> => {
    loading ??= loadPart(load).then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Loaded({ fallback, ...props }: Props & { readonly fallback?: ReactNode }): ReactNode {
    const [Component, setComponent] = useState(() => loaded);
    const [failed, setFailed] = useState<{ readonly error: unknown }>();
    useLayoutEffect(() => {
      if (Component !== undefined) return;
      let isShown = true;
      start().then(
        () => isShown && setComponent(() => loaded),
        (error: unknown) => isShown && setFailed({ error }),
      );
      return () => {
        isShown = false;
      };
    }, [Component]);
    if (failed !== undefined) throw failed.error;
    return Component === undefined ? fallback : <Component {...(props as unknown as Props)} />;
  }
  return Object.assign(Loaded, { preload: () => void start().catch(() => undefined) });
}
