import type { Catalogue, CliFacts } from '../../ffmpeg/catalogue/catalogue.ts';
import type { Component, ComponentKind } from '../../ffmpeg/catalogue/component.ts';
import type { OptionClass } from '../../ffmpeg/catalogue/help-full.ts';

/** The installed ffmpeg. Its methods query ffmpeg for facts that the catalogue lacks. */
export interface InstalledFfmpeg {
  /** Returns the facts known so far. */
  catalogue(): Catalogue;
  component(kind: ComponentKind, name: string): Promise<Component | undefined>;
  option(name: string): Promise<CliFacts | undefined>;
  classes(): Promise<readonly OptionClass[]>;
}

/** Resolves to the installed ffmpeg once the service has found it. */
export type FindFfmpeg = () => Promise<InstalledFfmpeg>;
