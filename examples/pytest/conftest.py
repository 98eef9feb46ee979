pytest_plugins = ["offering_sandbox"]
