"""Back ends for languages, one package each, Python among them; the core knows the protocol `Language` alone.

The notation of contracts and cases is Python's in every language: cases, expectations, judgement, budget and cache know
no other. A back end says what of a plan it can write, what the developer is told, how an answer is read, and which
Python module stands for its code in the sandbox (`tdgen.languages.bridge`). Further ones are found by the entry point
group `tdgen.languages`.
"""
