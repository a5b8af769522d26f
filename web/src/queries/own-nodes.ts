import { type CalledNodes, nodeCalled, nodeList, type NodeObject } from '@hilum/contract/calls/node'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

export interface OwnNodeFacts extends CalledNodes {
  /** AE titles under which we call others, and to which retrieved studies come. */
  calling: Pick<NodeObject, 'uuid' | 'name' | 'aetitle'>[]
}

/** The DICOM nodes that this installation is for others: what is called here, and under which titles we call. */
export const ownNodesQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['own-nodes', accountId],
    queryFn: async ({ signal }): Promise<OwnNodeFacts> => {
      const asked = { account_id: accountId }
      const [called, { nodes }] = await Promise.all([
        callApi(nodeCalled, asked, { signal }),
        callApi(nodeList, asked, { signal }),
      ])
      return { ...called, calling: nodes }
    },
    staleTime: 30_000,
  })
