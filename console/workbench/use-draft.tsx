import { createContext, type Dispatch, type ReactNode, useContext } from 'react';
import type { Change } from './change-draft.ts';
import type { Draft } from './draft.ts';

interface DraftState {
  readonly draft: Draft;
  readonly change: Dispatch<Change>;
}

const Context = createContext<DraftState | undefined>(undefined);

export function DraftProvider({ state, children }: { readonly state: DraftState; readonly children: ReactNode }) {
  return <Context value={state}>{children}</Context>;
}

/** The draft of the workbench, and the function that changes it. */
export function useDraft(): DraftState {
  const state = useContext(Context);
  if (state === undefined) throw new Error('useDraft needs a DraftProvider.');
  return state;
}
