/** Rights that a link may give to whoever opens it. */
export const linkRights = ['study_view', 'study_download', 'study_report_view'] as const
export type LinkRight = (typeof linkRights)[number]

/** Rights of a link beside the sight of the images. */
export interface LinkGives {
  download: boolean
  /** Attached files, and reports among the images. */
  attachments: boolean
}

/** Rights of a link: looking, and what was wished besides. */
export function rightsOfLink({ download, attachments }: LinkGives): LinkRight[] {
  return [
    'study_view',
    ...(download ? (['study_download'] as const) : []),
    ...(attachments ? (['study_report_view'] as const) : []),
  ]
}
