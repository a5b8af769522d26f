import {
  type CalledNodes,
  nodeAdd,
  nodeCalled,
  nodeDelete,
  nodeList,
  type NodeObject,
  nodeSet,
} from '@hilum/contract/calls/node'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { changedFields } from './changed-fields.ts'
import { readDestinationsAgain } from './destinations.ts'
import { wholeList } from './whole-list.ts'

/** A node by whose AE title we call others, and to which retrieved studies come. */
export type CallingNode = Pick<NodeObject, 'uuid' | 'name' | 'aetitle'>
export type NodeValues = Pick<NodeObject, 'name' | 'aetitle'>

export interface OwnNodeFacts extends CalledNodes {
  calling: CallingNode[]
}

const key = 'own-nodes'

/** The DICOM nodes that this installation is for others: what is called here, and under which titles we call. */
export const ownNodesQuery = (accountId: string) =>
  queryOptions({
    queryKey: [key, accountId],
    queryFn: async ({ signal }): Promise<OwnNodeFacts> => {
      const asked = { account_id: accountId }
      const [called, calling] = await Promise.all([
        callApi(nodeCalled, asked, { signal }),
        wholeList<CallingNode>(async (list) => {
          const { nodes, page } = await callApi(nodeList, asked, { signal, list })
          return { rows: nodes, page }
        }),
      ])
      return { ...called, calling }
    },
    staleTime: 30_000,
  })

interface NodeChange {
  /** Undefined to add one. */
  uuid: string | undefined
  values: NodeValues
  /** As the form showed them first: of a node that is there, what differs is sent. */
  before: NodeValues
  /** The node as it was read. */
  seen: Record<string, unknown> | undefined
}

/** Adds, changes and deletes nodes by which we call others. */
export function useOwnNodes(accountId: string) {
  const client = useQueryClient()
  const onSettled = () =>
    // destinations tell by which title they are called
    Promise.all([client.invalidateQueries({ queryKey: [key] }), readDestinationsAgain(client)])
  const save = useMutation({
    mutationFn: async ({ uuid, values, before, seen }: NodeChange) => {
      if (uuid) await callApi(nodeSet, { uuid, ...changedFields(before, values), seen })
      else await callApi(nodeAdd, { account_id: accountId, ...values })
    },
    onSettled,
  })
  const remove = useMutation({ mutationFn: ({ uuid }: CallingNode) => callApi(nodeDelete, { uuid }), onSettled })
  return { save, remove }
}
