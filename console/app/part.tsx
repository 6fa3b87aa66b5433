import { type ComponentType, type ReactNode, useLayoutEffect, useState } from 'react';
import { loadPart } from './load-part.ts';

/** A component of which the code is loaded when it is first shown. */
export interface Part<Props> {
  (props: Props & { readonly fallback?: ReactNode }): ReactNode;
  /** Loads the code before it is needed. An error is thrown when the component is shown. */
  readonly prepare: () => void;
}

/**
 * Makes a component whose code `load` loads, by `loadPart`. Until the code is there, `fallback` is shown.
 *
 * Unlike React's `lazy`: with that, a component is shown at least 300 ms after its fallback, even if its code has been there for long
 * (https://github.com/react/react/issues/31819).
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const prepare = (): Promise<void> => {
    loading ??= loadPart(load).then((component) => {
      loaded = component;
    });
    return loading;
  };
  function LoadedPart({ fallback, ...props }: Props & { readonly fallback?: ReactNode }): ReactNode {
    const [Component, setComponent] = useState(() => loaded);
    const [failed, setFailed] = useState<{ readonly error: unknown }>();
    useLayoutEffect(() => {
      if (Component !== undefined) return;
      let isShown = true;
      prepare().then(
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
  return Object.assign(LoadedPart, { prepare: () => void prepare().catch(() => undefined) });
}
