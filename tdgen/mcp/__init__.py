"""tdgen for agents, by the Model Context Protocol (modelcontextprotocol.io).

`server` has the tools that an agent calls, `work` what of them goes on in threads while the agent asks how it stands,
`answers` what they say. Solves go through the service's queue, so that their questions, ends and advice are the same.
"""
