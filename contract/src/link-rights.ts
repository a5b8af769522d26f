/** Rights that a link may give to whoever opens it. */
export const linkRights = ['study_view', 'study_download', 'study_report_view'] as const
export type LinkRight = (typeof linkRights)[number]

/** Rights of a link: looking, and the download where that was wished. */
export function rightsOfLink(download: boolean): LinkRight[] {
  return download ? ['study_view', 'study_download'] : ['study_view']
}
