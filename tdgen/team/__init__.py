"""A store that a team shares, behind the one on this machine: a back end by the entry point group `tdgen.stores`.

`shared.open_store` is what is found by the scheme of its address. `redis` is what lies on the server, `server` keeps
what fails there from stopping anything here, `solutions` judges what the team has before it counts, many `together`
where their code is `harmless`.
"""
