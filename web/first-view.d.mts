import type { Plugin } from 'vite'

export declare function filesOfFirstView(): Set<string>
export declare function pathsImported(code: string): string[]
export declare function unknownTexts(code: string): string[]
export declare function partTexts(): Promise<{ first: Record<string, string>; later: Record<string, string> }>
export declare const laterTexts: string
export declare function firstView(): Plugin
/** Parts of declared calls and routes that no page reads: what is built has none of them. */
export declare const serverParts: ReadonlySet<string>

export declare function firstShared(
  id: string,
  modules: { getModuleInfo: (id: string) => { importedIds: string[] } | null },
): string | null
