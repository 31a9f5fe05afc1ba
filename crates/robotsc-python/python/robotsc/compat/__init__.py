"""Classes with the interface of other robots.txt parsers, and the answers of this one."""
