"""Settings of hypothesis for this part of the suite."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No deadline: a busy machine is no failure.  The fixtures used with `given` hold nothing
# that one example could leave behind for the next but a file that it overwrites.
settings.register_profile(
    "modelling", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("modelling")
