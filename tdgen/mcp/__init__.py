"""tdgen for agents, by the Model Context Protocol (modelcontextprotocol.io).

`server` has what an agent calls, by the protocol, and `serving` where it listens; `tools` does what is called, `work`
is what of it goes on in threads while the agent asks how it stands, `answers` what is said of it. Solves go through the
service's queue, so that their questions, ends and advice are the same.
"""
