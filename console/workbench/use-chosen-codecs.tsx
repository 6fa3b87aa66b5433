import { useQueries, useQuery } from '@tanstack/react-query';
import type { DryRun } from '@telecine/client';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { client } from '../app/client.ts';
import type { OptionRow } from './draft.ts';
import { type ChosenCodecs, kindOf, namesEncoder, STABLE } from './option-help.ts';

const Context = createContext<ChosenCodecs>({});
const KINDS = ['video', 'audio', 'subtitle'] as const;

/**
 * Provides the encoders and the container of the request to the option rows. They come from the rows, otherwise from the last plan,
 * otherwise from the defaults of ffmpeg for the container.
 */
export function ChosenCodecsProvider({
  plan,
  rows,
  children,
}: {
  readonly plan: DryRun | undefined;
  readonly rows: readonly OptionRow[];
  readonly children: ReactNode;
}) {
  const [last, setLast] = useState(plan);
  if (plan !== undefined && plan !== last) setLast(plan);
  const planned = useMemo(() => codecsOf(last), [last]);
  const usual = useUsualEncoders(planned.muxer);
  const chosen = useMemo(() => ({ ...usual, ...planned, ...codecsOfRows(rows) }), [usual, planned, rows]);
  return <Context value={chosen}>{children}</Context>;
}

export const useChosenCodecs = (): ChosenCodecs => useContext(Context);

function codecsOf(plan: DryRun | undefined): ChosenCodecs {
  const output = plan?.plan.outputs[0];
  const encoders = KINDS.flatMap((kind) => {
    const name = output?.encoders[kind]?.find((one) => one !== 'copy');
    return name === undefined ? [] : [[kind, name] as const];
  });
  return { ...Object.fromEntries(encoders), ...(output !== undefined && { muxer: output.muxer }) };
}

const codecsOfRows = (rows: readonly OptionRow[]): ChosenCodecs =>
  Object.fromEntries(
    rows.flatMap(({ name, value }) => {
      const kind = kindOf(name);
      return namesEncoder(name) && kind !== undefined && value !== '' && value !== 'copy' ? [[kind, value]] : [];
    }),
  );

/** The default encoders of ffmpeg for a container. */
function useUsualEncoders(muxer: string | undefined): ChosenCodecs {
  const format = useQuery({
    queryKey: ['format', muxer],
    queryFn: () => client.format(muxer ?? ''),
    enabled: muxer !== undefined,
    ...STABLE,
  });
  const usual = format.data?.defaultCodecs ?? {};
  return useQueries({
    queries: KINDS.map((kind) => ({
      queryKey: ['codec', usual[kind]],
      queryFn: () => client.codec(usual[kind] ?? ''),
      enabled: usual[kind] !== undefined,
      ...STABLE,
    })),
    combine: encodersOf,
  });
}

const encodersOf = (results: readonly { readonly data?: { readonly encoders: readonly string[] } | undefined }[]) =>
  Object.fromEntries(
    KINDS.flatMap((kind, i) => {
      const name = results[i]?.data?.encoders[0];
      return name === undefined ? [] : [[kind, name]];
    }),
  ) as ChosenCodecs;
