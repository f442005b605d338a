"""ClassEval's classes, each solved from its description and signatures, and judged by ClassEval's own tests."""
